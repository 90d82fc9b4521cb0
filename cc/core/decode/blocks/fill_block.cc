// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/fill_block.h"

#include <cstring>
#include <utility>
#include <vector>

#include "core/decode/blocks/fixed_block.h"
#include "core/decode/blocks/variable_block.h"

namespace rowfeed {
namespace {

Result<Buffer> Zeros(int64_t size, const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(Buffer buffer, pool->Allocate(size));
  std::memset(buffer.data(), 0, size);
  return buffer;
}

}  // namespace

Result<std::unique_ptr<ColumnBlock>> MakeFillBlock(
    const Part& part, int64_t num_rows, const std::shared_ptr<BufferPool>& pool) {
  std::vector<Buffer> buffers(1);
  if (part.is_variable) {
    ROWFEED_ASSIGN_OR_RETURN(
        buffers[0],
        Zeros(num_rows * static_cast<int64_t>(sizeof(parquet::ByteArray)), pool));
    const auto* rows = buffers[0].as<parquet::ByteArray>();
    return MakeViewBlock(num_rows, part.unit_bytes, rows, std::move(buffers));
  }
  // All rows refer to the same row of zeros, as rows may be wide.
  ROWFEED_ASSIGN_OR_RETURN(
      buffers[0], Zeros(num_rows * static_cast<int64_t>(sizeof(int32_t)), pool));
  ROWFEED_ASSIGN_OR_RETURN(Buffer row, Zeros(part.unit_bytes, pool));
  const auto* indices = buffers[0].as<int32_t>();
  const uint8_t* dictionary = row.data();
  buffers.push_back(std::move(row));
  return MakeDictionaryBlock(num_rows, 1, part.unit_bytes, indices, dictionary,
                             std::move(buffers));
}

}  // namespace rowfeed
