// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_fetch.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/io/coalesce.h"
#include "core/stream/options/fetched_bytes.h"

namespace rowfeed {
namespace {

const CatalogFile& FileOf(const Catalog& catalog, int64_t row_group) {
  return catalog.files()[catalog.row_groups()[row_group].file];
}

// Returns about which share of its row group's bytes is fetched for a piece.
double ShareOf(const Catalog& catalog, const Piece& piece) {
  const int64_t rows = catalog.row_groups()[piece.row_group].rows;
  return std::min(1.0, kPagesPerRow * static_cast<double>(piece.rows()) /
                           static_cast<double>(rows));
}

}  // namespace

WindowFetch::WindowFetch(const Catalog& catalog, std::vector<int> columns,
                         const ReadPieces& read,
                         const std::shared_ptr<FileCache>& files,
                         std::shared_ptr<BufferPool> buffers, RemotePages* places,
                         bool checks_at_once)
    : catalog_(catalog),
      columns_(std::move(columns)),
      read_(read),
      files_(files),
      buffers_(std::move(buffers)),
      places_(places),
      checks_at_once_(checks_at_once) {
  std::set<const CatalogFile*> known;
  for (const Piece& piece : read.pieces()) {
    const CatalogFile& file = FileOf(catalog, piece.row_group);
    pieces_.emplace_back(pieces_.size(), CachedFile(files, file.path, file.version()),
                         FetchedChunks(catalog, piece.row_group, columns_));
    // Whether a file is lost must be known even if nothing of it is read.
    const bool is_asked = checks_at_once && IsUri(file.path);
    if (pieces_.back().chunks.empty() && !is_asked) continue;
    tasks_.push_back(pieces_.size() - 1);
    if (!checks_at_once && known.insert(&file).second) checks_.push_back(tasks_.back());
    const int64_t bytes = RequestBytes(pieces_.back().chunks);
    const double share = places == nullptr ? 1 : ShareOf(catalog, piece);
    pieces_.back().num_bytes = static_cast<int64_t>(static_cast<double>(bytes) * share);
  }
}

int64_t WindowFetch::num_bytes() const {
  int64_t bytes = 0;
  for (const PieceFile& piece : pieces_) bytes += piece.num_bytes;
  return bytes;
}

Result<std::vector<Extent>> WindowFetch::ExtentsOf(PieceFile* piece,
                                                   const Cancelled& cancelled,
                                                   FetchCounts* counts) const {
  const Piece& wanted = read_.pieces()[piece->index];
  const int64_t row_group = wanted.row_group;
  const int64_t group_rows = catalog_.row_groups()[row_group].rows;
  const double unwanted =
      1 - static_cast<double>(wanted.rows()) / static_cast<double>(group_rows);
  if (places_ == nullptr ||
      unwanted * static_cast<double>(RequestBytes(piece->chunks)) <
          static_cast<double>(RequestSizes{}.max_gap)) {
    return piece->chunks;
  }
  const CatalogFile& of = FileOf(catalog_, row_group);
  const CachedFile file(files_, of.path, of.version(), cancelled);
  ROWFEED_ASSIGN_OR_RETURN(piece->pages, places_->Get(catalog_, row_group, columns_,
                                                      file, cancelled, counts));
  std::vector<Extent> extents;
  for (const int column : columns_) {
    const ColumnChunk& chunk = catalog_.chunk(row_group, column);
    if (chunk.size == 0) continue;
    const PageLocations& pages = piece->pages->of(column);
    for (const Piece& part : read_.planned(piece->index)) {
      const auto of_rows = ExtentsOfRows(chunk, pages, part.begin, part.end);
      extents.insert(extents.end(), of_rows.begin(), of_rows.end());
      if (pages.empty()) break;  // it is the whole chunk
    }
  }
  return extents;
}

Result<FetchCounts> WindowFetch::RunTask(size_t task, const Cancelled& cancelled) {
  PieceFile& piece = pieces_[tasks_[task]];
  FetchCounts counts;
  ROWFEED_ASSIGN_OR_RETURN(const auto extents, ExtentsOf(&piece, cancelled, &counts));
  ROWFEED_ASSIGN_OR_RETURN(auto fetched,
                           piece.file.Fetch(extents, buffers_, cancelled));
  counts.Add(fetched);
  if (checks_at_once_) ROWFEED_RETURN_NOT_OK(piece.file.CheckUnchanged(cancelled));
  piece.is_fetched = true;
  piece.num_bytes = 0;
  for (const FetchedExtent& extent : fetched) piece.num_bytes += extent.extent.size;
  piece.fetched.Keep(std::move(fetched));
  return counts;
}

Status WindowFetch::RunCheck(size_t check, const Cancelled& cancelled) const {
  return pieces_[checks_[check]].file.CheckUnchanged(cancelled);
}

const PageLocations* WindowFetch::pages(size_t piece, int column) const {
  const auto& known = pieces_[piece].pages;
  return known ? &known->of(column) : nullptr;
}

Status WindowFetch::Hold(size_t piece) {
  PieceFile& from = pieces_[piece];
  return from.is_fetched ? Status() : from.file.Hold();
}

void WindowFetch::Drop() {
  for (PieceFile& piece : pieces_) piece.fetched.Keep({});
}

}  // namespace rowfeed
