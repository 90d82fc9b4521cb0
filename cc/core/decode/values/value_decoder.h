// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_VALUE_DECODER_H_
#define ROWFEED_CORE_DECODE_VALUES_VALUE_DECODER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/chunk/memory_pool.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/pages/page_list.h"
#include "core/io/buffer_pool.h"
#include "core/io/pooled_array.h"
#include "core/status.h"
#include "parquet/encoding.h"
#include "parquet/schema.h"

namespace rowfeed {

// Decodes the values of pages to memory, side by side and without places for nulls.
// Values are slots already, unless the format converts them. Plain values are decoded
// here; all other encodings except dictionaries are decoded by Arrow's decoders.
class ValueDecoder {
 public:
  ValueDecoder(const SlotFormat& format, const ColumnStorage& storage,
               ChunkMemoryPool* arrow_pool, std::shared_ptr<BufferPool> pool);

  // Returns kCorrupt if a page with `size` bytes of values cannot hold `count` values.
  // Callers ask before they set memory aside.
  Status CheckSize(int32_t encoding, int64_t size, int64_t count) const;

  // Decodes `count` values to `slots`. The page has `num_levels` entries, nulls
  // included. Decoded byte arrays are pointers into `values`, or into memory that is
  // added to `buffers`.
  Status Decode(int32_t encoding, Bytes values, int64_t num_levels, int64_t count,
                uint8_t* slots, std::vector<Buffer>* buffers);

 private:
  Status DecodePlain(Bytes values, int64_t count, uint8_t* slots) const;
  Status DecodePlainBytes(Bytes values, int64_t count, uint8_t* slots) const;
  Status DecodeWithArrow(int32_t encoding, Bytes values, int64_t num_levels,
                         int64_t count, uint8_t* slots, std::vector<Buffer>* buffers);
  template <typename ParquetType>
  Status DecodeNumbers(int64_t count, uint8_t* slots);
  Status DecodeBytes(int64_t count, uint8_t* slots, std::vector<Buffer>* buffers);
  Status DecodeBlobs(int64_t count, uint8_t* slots);

  const SlotFormat format_;
  ChunkMemoryPool* const arrow_pool_;
  const std::shared_ptr<BufferPool> pool_;
  const std::unique_ptr<parquet::ColumnDescriptor> descriptor_;
  // Arrow's decoder for the encoding of the last page that needed one.
  std::unique_ptr<parquet::Decoder> decoder_;
  int64_t bytes_copied_ = 0;      // bytes of strings copied so far
  PooledArray<uint8_t> scratch_;  // values before they are narrowed to slots
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_VALUE_DECODER_H_
