// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_TAKE_BLOCK_CACHE_H_
#define ROWFEED_CORE_STREAM_TAKE_BLOCK_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/chunk/page_location.h"
#include "core/decode/pages/page_locator.h"
#include "core/io/buffer_pool.h"
#include "core/io/file_cache.h"
#include "core/lru_cache.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/column_spec.h"
#include "core/stream/stats/counted_file.h"

namespace rowfeed {

// How one column chunk is cut into blocks that are decoded alone. A block is some pages
// that follow each other. If it is not known where pages lie, the whole chunk is one
// block.
struct ChunkBlocks {
  PageLocations pages;
  std::vector<int64_t> begins = {0};  // the first row of each block

  // Returns the block that row `row` of the row group lies in.
  size_t BlockOf(int64_t row) const;
  int64_t bytes_held() const;
};

// Rows of one column chunk, from row `begin` of the row group on, ready to be gathered.
struct DecodedBlock {
  int64_t begin = 0;
  bool reads_file = false;            // whether gathering rows reads from the file
  std::unique_ptr<CountedFile> file;  // the file that `parts` read from
  PartBlocks parts;

  int64_t bytes_held() const;
};

// Keeps decoded blocks of some columns of a catalog within a budget, and remembers how
// chunks are cut into blocks. Thread-safe.
class BlockCache {
 public:
  // What the arguments point to must outlive the cache.
  BlockCache(const Catalog* catalog, const std::vector<ColumnSpec>* columns,
             const BatchLayout* layout, int64_t max_bytes,
             std::shared_ptr<BufferPool> buffers, std::shared_ptr<FileCache> files,
             Counters* counters, bool verifies_checksums);

  // FindChunk and FindBlock return what the cache has, and read no file; nullptr if it
  // has nothing.
  std::shared_ptr<const ChunkBlocks> FindChunk(int64_t row_group, size_t spec);
  std::shared_ptr<const DecodedBlock> FindBlock(int64_t row_group, size_t spec,
                                                int64_t begin_row);

  // GetChunk and GetBlock return the same, and read it if the cache does not have it.
  // Errors name path, row group and column.
  Result<std::shared_ptr<const ChunkBlocks>> GetChunk(int64_t row_group, size_t spec);
  Result<std::shared_ptr<const DecodedBlock>> GetBlock(
      int64_t row_group, size_t spec, const ChunkBlocks& chunk, size_t block,
      const std::atomic<bool>& cancelled);

  // Decodes rows of a column, whatever blocks they lie in. The result is not kept.
  Result<std::shared_ptr<const DecodedBlock>> Decode(
      const Piece& piece, size_t spec, const PageLocations& pages,
      const std::atomic<bool>& cancelled) const;

  // Returns the memory that is kept.
  int64_t bytes() const;

 private:
  const ResolvedColumn& source(size_t spec) const { return layout_->columns[spec]; }
  int64_t BlockKey(int64_t row_group, size_t spec, int64_t begin_row) const;
  std::unique_ptr<CountedFile> OpenFile(int64_t row_group, size_t spec) const;
  Result<std::shared_ptr<const ChunkBlocks>> CutChunk(int64_t row_group, size_t spec);

  const Catalog* const catalog_;
  const std::vector<ColumnSpec>* const columns_;
  const BatchLayout* const layout_;
  const std::shared_ptr<BufferPool> buffers_;
  const std::shared_ptr<FileCache> files_;
  Counters* const counters_;
  const bool verifies_checksums_;
  // The cut of a chunk that is a single block.
  const std::shared_ptr<const ChunkBlocks> uncut_;
  std::vector<int64_t> group_begins_;  // rows of the catalog before each row group
  PageLocator locator_;
  LruCache<ChunkBlocks> chunks_;
  LruCache<DecodedBlock> blocks_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TAKE_BLOCK_CACHE_H_
