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
#include "core/stream/options/feature.h"
#include "core/stream/stats/counted_file.h"

namespace rowfeed {

// How the rows of one chunk of a feature are cut into blocks, which are decoded alone:
// pages that lie side by side, as far as it is known where pages lie.
struct ChunkBlocks {
  PageLocations pages;
  std::vector<int64_t> begins = {0};  // the first row of each block

  // The block that row `row` of the row group is in.
  size_t BlockOf(int64_t row) const;
  int64_t bytes_held() const;
};

// Rows [begin, end) of one chunk of a feature, ready to be gathered.
struct DecodedBlock {
  int64_t begin = 0;
  bool reads_file = false;            // when rows are gathered
  std::unique_ptr<CountedFile> file;  // that parts read from
  PartBlocks parts;

  int64_t bytes_held() const;
};

// Decoded blocks of some features of a catalog, kept within a budget, and what it took
// to find them. Thread-safe.
class BlockCache {
 public:
  // All that is pointed to must outlive the cache.
  BlockCache(const Catalog* catalog, const std::vector<Feature>* features,
             const BatchLayout* layout, int64_t max_bytes,
             std::shared_ptr<BufferPool> buffers, std::shared_ptr<FileCache> files,
             Counters* counters, bool verifies_checksums);

  // As far as it is known without reading: else nullptr.
  std::shared_ptr<const ChunkBlocks> FindChunk(int64_t row_group, size_t feature);
  std::shared_ptr<const DecodedBlock> FindBlock(int64_t row_group, size_t feature,
                                                int64_t begin_row);

  // The same, read if need be. Errors name path, row group and column.
  Result<std::shared_ptr<const ChunkBlocks>> GetChunk(int64_t row_group,
                                                      size_t feature);
  Result<std::shared_ptr<const DecodedBlock>> GetBlock(
      int64_t row_group, size_t feature, const ChunkBlocks& chunk, size_t block,
      const std::atomic<bool>& cancelled);

  // Rows of a feature, whatever blocks they are in; they are not kept.
  Result<std::shared_ptr<const DecodedBlock>> Decode(
      const Piece& piece, size_t feature, const PageLocations& pages,
      const std::atomic<bool>& cancelled) const;

  // Of what is kept.
  int64_t bytes() const;

 private:
  const FeatureSource& source(size_t feature) const {
    return layout_->features[feature];
  }
  int64_t BlockKey(int64_t row_group, size_t feature, int64_t begin_row) const;
  std::unique_ptr<CountedFile> OpenFile(int64_t row_group, size_t feature) const;
  Result<std::shared_ptr<const ChunkBlocks>> CutChunk(int64_t row_group,
                                                      size_t feature);

  const Catalog* const catalog_;
  const std::vector<Feature>* const features_;
  const BatchLayout* const layout_;
  const std::shared_ptr<BufferPool> buffers_;
  const std::shared_ptr<FileCache> files_;
  Counters* const counters_;
  const bool verifies_checksums_;
  const std::shared_ptr<const ChunkBlocks> uncut_;
  std::vector<int64_t> group_begins_;  // rows of the catalog before each row group
  PageLocator locator_;
  LruCache<ChunkBlocks> chunks_;
  LruCache<DecodedBlock> blocks_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TAKE_BLOCK_CACHE_H_
