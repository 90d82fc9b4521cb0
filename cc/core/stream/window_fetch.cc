// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window_fetch.h"

#include <utility>

#include "core/io/coalesce.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

const CatalogFile& FileOf(const Catalog& catalog, int64_t row_group) {
  return catalog.files()[catalog.row_groups()[row_group].file];
}

std::vector<Extent> Chunks(const Catalog& catalog, int64_t row_group,
                           const std::vector<int>& columns) {
  std::vector<Extent> extents;
  if (!IsUri(FileOf(catalog, row_group).path)) return extents;
  for (const int column : columns) {
    const ColumnChunk& chunk = catalog.chunk(row_group, column);
    if (chunk.size > 0) extents.push_back({chunk.offset, chunk.size});
  }
  return extents;
}

int64_t Sum(const std::vector<Extent>& extents) {
  int64_t bytes = 0;
  for (const Extent& request : Coalesce(extents, RequestSizes{})) bytes += request.size;
  return bytes;
}

}  // namespace

WindowFetch::WindowFetch(const Catalog& catalog, const std::vector<int>& columns,
                         const std::vector<Piece>& pieces,
                         const std::shared_ptr<FileCache>& files) {
  for (const Piece& piece : pieces) {
    const CatalogFile& file = FileOf(catalog, piece.row_group);
    pieces_.emplace_back(CachedFile(files, file.path, file.version()),
                         Chunks(catalog, piece.row_group, columns));
    if (pieces_.back().extents.empty()) continue;
    tasks_.push_back(pieces_.size() - 1);
    num_bytes_ += Sum(pieces_.back().extents);
  }
}

Result<WindowFetch::Requests> WindowFetch::RunTask(size_t task,
                                                   const Cancelled& cancelled) {
  PieceFile& piece = pieces_[tasks_[task]];
  ROWFEED_ASSIGN_OR_RETURN(auto fetched, piece.file.Fetch(piece.extents, cancelled));
  Requests requests;
  for (const FetchedExtent& extent : fetched) {
    ++requests.num_requests;
    requests.num_retries += extent.num_retries;
    requests.bytes += extent.extent.size;
  }
  piece.fetched.Keep(std::move(fetched));
  return requests;
}

Status WindowFetch::Hold(size_t piece) {
  PieceFile& from = pieces_[piece];
  return from.fetched.has_fetched() ? Status() : from.file.Hold();
}

void WindowFetch::Drop() {
  for (PieceFile& piece : pieces_) piece.fetched.Keep({});
}

int64_t FetchedBytes(const Catalog& catalog, int64_t row_group,
                     const std::vector<int>& columns) {
  return Sum(Chunks(catalog, row_group, columns));
}

}  // namespace rowfeed
