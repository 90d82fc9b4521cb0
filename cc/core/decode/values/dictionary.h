// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_DICTIONARY_H_
#define ROWFEED_CORE_DECODE_VALUES_DICTIONARY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/memory_pool.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/pages/page_opener.h"
#include "core/decode/values/value_converter.h"
#include "core/decode/values/value_decoder.h"
#include "core/status.h"
#include "parquet/encoding.h"

namespace rowfeed {

// The dictionary of a chunk, with its values as slots; decodes the indices of the
// chunk's pages and looks them up.
class Dictionary {
 public:
  // Reads the dictionary `page`. `converter`, if not nullptr, makes slots of its
  // values. The memory of the slots is added to `buffers`. If `null_slot` is given, the
  // dictionary gets one more slot at index size(), which stands for nulls.
  static Result<Dictionary> Make(const Page& page, const SlotFormat& format,
                                 const std::string* null_slot, PageOpener* opener,
                                 ValueDecoder* decoder, ValueConverter* converter,
                                 const std::shared_ptr<BufferPool>& pool,
                                 arrow::MemoryPool* arrow_pool,
                                 std::vector<Buffer>* buffers);

  // Makes a dictionary from slots that are ready. `slots` may be nullptr if only
  // DecodeIndices is called.
  Dictionary(const uint8_t* slots, int32_t size, arrow::MemoryPool* arrow_pool);

  const uint8_t* slots() const { return slots_; }
  int32_t size() const { return size_; }

  // Decodes the `count` indices of a page, all of which must be below size(). `values`
  // are the page's values; the page has `num_levels` entries, nulls included.
  Status DecodeIndices(Bytes values, int64_t num_levels, int64_t count,
                       int32_t* indices);
  // Decodes the `count` indices of a page and writes the slot of each, `width` bytes,
  // to `out`.
  Status LookUp(Bytes values, int64_t num_levels, int64_t count, int64_t width,
                uint8_t* out);
  // Do what LookUp does in steps: SetPage sets the page, then each LookUpNext continues
  // with indices [done, done + size) of the `count` that the page should have. Both may
  // throw.
  void SetPage(Bytes values, int64_t num_levels);
  Status LookUpNext(int64_t done, int64_t size, int64_t count, int64_t width,
                    uint8_t* out);

 private:
  // Decodes indices [done, done + size) of the `count` that the page should have.
  Status DecodeNext(int64_t done, int64_t size, int64_t count, int32_t* indices);
  Status CheckIndices(const int32_t* indices, int64_t count) const;

  const uint8_t* slots_;
  int32_t size_;
  // Arrow's decoder of indices does not depend on the type of the values.
  std::unique_ptr<parquet::DictDecoder<parquet::Int32Type>> decoder_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_DICTIONARY_H_
