// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_OPENER_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_OPENER_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "arrow/util/compression.h"
#include "core/catalog/schema/column.h"
#include "core/decode/pages/page_list.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// The parts of an uncompressed data page. Levels are run-length coded, without the
// length that v1 pages put before them; they are empty where the column has none.
struct PageBody {
  Bytes repetition_levels;
  Bytes definition_levels;
  Bytes values;
};

// Returns Arrow's name for a CompressionCodec number of the Parquet format.
Result<arrow::Compression::type> ArrowCodec(uint8_t codec);

// Decompresses the pages of one chunk, one after the other. The time that this takes is
// added to *decompress_ns, unless it is nullptr. With `verifies_checksums`, a page
// whose bytes do not match its checksum is kCorrupt.
class PageOpener {
 public:
  static Result<PageOpener> Make(const ColumnChunk& chunk, const ColumnStorage& storage,
                                 std::shared_ptr<BufferPool> pool,
                                 int64_t* decompress_ns = nullptr,
                                 bool verifies_checksums = false);

  // Splits a page into levels and values, decompressed where needed. The result is
  // valid until the next call; TakeBuffer() keeps it longer.
  Result<PageBody> Open(const Page& page);
  // Returns the values of a dictionary page, followed by room for `spare` more bytes.
  // If spare is 0, uncompressed values are not copied.
  Result<Bytes> OpenDictionary(const Page& page, int64_t spare);

  // Hands out the memory that holds the last page's decompressed bytes; empty if the
  // page was not compressed.
  Buffer TakeBuffer() { return std::move(scratch_); }
  // Whether the values of at least one page were not copied but lie in the bytes of the
  // chunk, which must then live as long as the values.
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

  // Returns `size` decompressed bytes; or `stored` itself, if is_compressed is false or
  // the chunk has no codec.
  Result<Bytes> Decompress(Bytes stored, int64_t size, bool is_compressed = true);
  Status Reserve(int64_t size);
  Result<PageBody> OpenV1(const Page& page);
  Result<PageBody> OpenV2(const Page& page);

  std::unique_ptr<arrow::util::Codec> codec_;  // nullptr: the chunk is not compressed
  ColumnStorage storage_;
  std::shared_ptr<BufferPool> pool_;
  int64_t* decompress_ns_;
  std::optional<int64_t> verified_chunk_;
  Buffer scratch_;
  bool left_in_place_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_OPENER_H_
