// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_OPENER_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_OPENER_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "arrow/util/compression.h"
#include "core/catalog/column.h"
#include "core/decode/pages/page_list.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// The parts of a data page, uncompressed. Levels are run-length coded, without the
// length that v1 puts before them; empty where the column has none.
struct PageBody {
  Bytes repetition_levels;
  Bytes definition_levels;
  Bytes values;
};

// Arrow's name for a CompressionCodec of the Parquet format.
Result<arrow::Compression::type> ArrowCodec(uint8_t codec);

// Decompresses the pages of one chunk, one after the other, and adds the time that it
// takes to `decompress_ns`, unless nullptr. If it `verifies_checksums`, a page that
// does not match its own is kCorrupt.
class PageOpener {
 public:
  static Result<PageOpener> Make(const ColumnChunk& chunk, const ColumnStorage& storage,
                                 std::shared_ptr<BufferPool> pool,
                                 int64_t* decompress_ns = nullptr,
                                 bool verifies_checksums = false);

  // What is returned is valid until the next call: TakeBuffer() keeps it.
  Result<PageBody> Open(const Page& page);
  // The values of a dictionary page, in a buffer with room for `spare` bytes after
  // them. Uncompressed values stay where they are if spare is 0.
  Result<Bytes> OpenDictionary(const Page& page, int64_t spare);

  // The memory that the last page was decompressed into; empty if it was not
  // compressed.
  Buffer TakeBuffer() { return std::move(scratch_); }
  // Whether a page's values were left where they lie in the chunk.
  bool left_in_place() const { return left_in_place_; }

 private:
  PageOpener(std::unique_ptr<arrow::util::Codec> codec, const ColumnStorage& storage,
             std::shared_ptr<BufferPool> pool, int64_t* decompress_ns,
             std::optional<int64_t> verified_chunk)
      : codec_(std::move(codec)),
        storage_(storage),
        pool_(std::move(pool)),
        decompress_ns_(decompress_ns),
        verified_chunk_(verified_chunk) {}

  // Decompresses, unless `is_compressed` is false or the chunk has no codec.
  Result<Bytes> Decompress(Bytes stored, int64_t size, bool is_compressed = true);
  Status Reserve(int64_t size);
  Result<PageBody> OpenV1(const Page& page);
  Result<PageBody> OpenV2(const Page& page);

  std::unique_ptr<arrow::util::Codec> codec_;  // null: not compressed
  ColumnStorage storage_;
  std::shared_ptr<BufferPool> pool_;
  int64_t* decompress_ns_;
  std::optional<int64_t>
      verified_chunk_;  // its offset in the file; nullopt: unverified
  Buffer scratch_;
  bool left_in_place_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_OPENER_H_
