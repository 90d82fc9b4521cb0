// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/take/block_cache.h"

#include <algorithm>
#include <utility>

#include "core/decode/column_decoder.h"
#include "core/decode/file_rows.h"
#include "core/decode/locate_pages.h"
#include "core/stream/options/piece_request.h"

namespace rowfeed {
namespace {

// The least bytes of a block in the file: opening a smaller one costs more than
// decoding it.
constexpr int64_t kMinBlockBytes = int64_t{16} << 10;

// One part out of this many of the budget is for offset indexes, and another one for
// how chunks are cut.
constexpr int64_t kPlacesShare = 16;

// Returns the first row of each block. A block is not smaller than the chunk's
// dictionary, because each block has a copy of that.
std::vector<int64_t> CutIntoBlocks(const PageLocations& pages) {
  const int64_t dictionary_bytes = pages.front().offset;
  const int64_t block_bytes = std::max(kMinBlockBytes, dictionary_bytes);
  std::vector<int64_t> begins = {0};
  int64_t bytes = 0;
  for (const PageLocation& page : pages) {
    if (bytes >= block_bytes && page.first_row > begins.back()) {
      begins.push_back(page.first_row);
      bytes = 0;
    }
    bytes += page.size;
  }
  return begins;
}

}  // namespace

size_t ChunkBlocks::BlockOf(int64_t row) const {
  return std::upper_bound(begins.begin(), begins.end(), row) - begins.begin() - 1;
}

int64_t ChunkBlocks::bytes_held() const {
  return static_cast<int64_t>(sizeof(*this) + pages.capacity() * sizeof(PageLocation) +
                              begins.capacity() * sizeof(int64_t));
}

int64_t DecodedBlock::bytes_held() const {
  auto bytes = static_cast<int64_t>(sizeof(*this) + sizeof(CachedFile));
  for (const auto& part : parts) bytes += part->bytes_held();
  return bytes;
}

BlockCache::BlockCache(const Catalog* catalog, const std::vector<ColumnSpec>* columns,
                       const BatchLayout* layout, int64_t max_bytes,
                       std::shared_ptr<BufferPool> buffers,
                       std::shared_ptr<FileCache> files, Counters* counters,
                       bool verifies_checksums)
    : catalog_(catalog),
      columns_(columns),
      layout_(layout),
      buffers_(std::move(buffers)),
      files_(std::move(files)),
      counters_(counters),
      verifies_checksums_(verifies_checksums),
      uncut_(std::make_shared<ChunkBlocks>()),
      locator_(catalog, max_bytes / kPlacesShare),
      chunks_(max_bytes / kPlacesShare),
      blocks_(max_bytes - max_bytes / kPlacesShare * 2) {
  int64_t row = 0;
  for (const RowGroup& group : catalog_->row_groups()) {
    group_begins_.push_back(row);
    row += group.rows;
  }
}

int64_t BlockCache::bytes() const {
  return locator_.bytes() + chunks_.bytes() + blocks_.bytes();
}

int64_t BlockCache::BlockKey(int64_t row_group, size_t spec, int64_t begin_row) const {
  return static_cast<int64_t>(spec) * catalog_->num_rows() + group_begins_[row_group] +
         begin_row;
}

std::unique_ptr<CountedFile> BlockCache::OpenFile(int64_t row_group,
                                                  size_t spec) const {
  const CatalogFile& file = catalog_->files()[catalog_->row_groups()[row_group].file];
  return std::make_unique<CountedFile>(
      std::make_unique<CachedFile>(files_, file.path, file.version()), counters_, spec);
}

std::shared_ptr<const ChunkBlocks> BlockCache::FindChunk(int64_t row_group,
                                                         size_t spec) {
  const std::optional<int>& index = source(spec).index;
  if (!index || catalog_->chunk(row_group, *index).size < 2 * kMinBlockBytes) {
    return uncut_;
  }
  return chunks_.Find(BlockKey(row_group, spec, 0));
}

std::shared_ptr<const DecodedBlock> BlockCache::FindBlock(int64_t row_group,
                                                          size_t spec,
                                                          int64_t begin_row) {
  return blocks_.Find(BlockKey(row_group, spec, begin_row));
}

Result<std::shared_ptr<const ChunkBlocks>> BlockCache::GetChunk(int64_t row_group,
                                                                size_t spec) {
  if (auto known = FindChunk(row_group, spec)) return known;
  return chunks_.GetOrMake(BlockKey(row_group, spec, 0),
                           [&] { return CutChunk(row_group, spec); });
}

Result<std::shared_ptr<const ChunkBlocks>> BlockCache::CutChunk(int64_t row_group,
                                                                size_t spec) {
  const auto file = OpenFile(row_group, spec);
  const int64_t rows = catalog_->row_groups()[row_group].rows;
  const ChunkRequest request =
      MakeChunkRequest(*catalog_, (*columns_)[spec], source(spec), {row_group, 0, rows},
                       file.get(), verifies_checksums_);
  Result<PageLocations> pages = locator_.Locate(request, row_group);
  if (pages.ok() && pages->empty()) pages = LocatePages(request, buffers_);
  if (!pages.ok()) {
    return pages.status().WithContext(catalog_->Where(row_group, *source(spec).index));
  }
  if (pages->empty()) return uncut_;
  auto chunk = std::make_shared<ChunkBlocks>();
  chunk->begins = CutIntoBlocks(*pages);
  chunk->pages = *std::move(pages);
  return std::shared_ptr<const ChunkBlocks>(std::move(chunk));
}

Result<std::shared_ptr<const DecodedBlock>> BlockCache::GetBlock(
    int64_t row_group, size_t spec, const ChunkBlocks& chunk, size_t block,
    const std::atomic<bool>& cancelled) {
  const int64_t begin = chunk.begins[block];
  const int64_t end = block + 1 < chunk.begins.size()
                          ? chunk.begins[block + 1]
                          : catalog_->row_groups()[row_group].rows;
  return blocks_.GetOrMake(BlockKey(row_group, spec, begin), [&] {
    return Decode({row_group, begin, end}, spec, chunk.pages, cancelled);
  });
}

Result<std::shared_ptr<const DecodedBlock>> BlockCache::Decode(
    const Piece& piece, size_t spec, const PageLocations& pages,
    const std::atomic<bool>& cancelled) const {
  auto block = std::make_shared<DecodedBlock>();
  block->begin = piece.begin;
  block->file = OpenFile(piece.row_group, spec);
  ChunkRequest request =
      MakeChunkRequest(*catalog_, (*columns_)[spec], source(spec), piece,
                       block->file.get(), verifies_checksums_);
  block->reads_file =
      AreRowsLeftInFile(*request.column, request.chunk, request.group_rows);
  request.pages = &pages;
  request.cancelled = &cancelled;
  int64_t decompress_ns = 0;
  request.decompress_ns = &decompress_ns;
  const Stopwatch watch;
  Result<PartBlocks> parts = DecodeColumn(request, buffers_);
  const int64_t elsewhere_ns = block->file->read_ns() + decompress_ns;
  counters_->Add(spec, ColumnCount::kDecompress, decompress_ns);
  counters_->Add(spec, ColumnCount::kDecode, watch.ns() - elsewhere_ns);
  if (parts.ok()) {
    block->parts = *std::move(parts);
    return std::shared_ptr<const DecodedBlock>(std::move(block));
  }
  if (parts.status().code() == StatusCode::kCancelled) return parts.status();
  return catalog_->ErrorAt(piece.row_group, *source(spec).index, parts.status());
}

}  // namespace rowfeed
