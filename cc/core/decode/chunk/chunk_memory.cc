// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/chunk/chunk_memory.h"

#include <algorithm>
#include <cstdint>

#include "parquet/types.h"

namespace rowfeed {
namespace {

// Allowance for the first and the last page of a range of rows, which are read whole.
// The footer does not say how large pages are; writers mostly end a page at one MiB.
constexpr double kPagesAtEnds = 4 << 20;

constexpr uint8_t kUncompressed = 0;  // the format's number of the codec

// Upper limit, which keeps the sum within int64_t. Absurd shapes are refused elsewhere.
constexpr double kMostBytes = static_cast<double>(int64_t{1} << 48);

// Whether page headers alone tell which pages have some of the rows, as PageSelection
// needs it. If not, the whole chunk is read.
bool ArePagesCounted(const Column& stored, const ColumnChunk& chunk,
                     const ChunkDecoding& how) {
  if (stored.storage.max_repetition_level() == 0) return true;
  if (how.has_shape || stored.is_variable()) return false;
  double per_row = 1;
  for (const int64_t size : stored.list_sizes) per_row *= static_cast<double>(size);
  return static_cast<double>(chunk.num_values) ==
         per_row * static_cast<double>(how.group_rows);
}

// Returns the bytes that a stored value takes in a block of rows of a fixed size.
int64_t HeldValueBytes(const Column& stored, const Column& wanted) {
  const bool are_views = stored.is_bytes() && stored.dtype != wanted.dtype &&
                         // Padded strings are held as views.
                         wanted.dtype == DType::kUInt8;
  return are_views ? static_cast<int64_t>(sizeof(parquet::ByteArray))
                   : DecodedValueBytes(wanted);
}

// Returns the bytes that a chunk's values take a second time if they are converted;
// else 0.
double ConvertedBytes(const Column& stored, const Column& wanted,
                      const ColumnChunk& chunk) {
  const bool is_converted =
      !wanted.is_bytes() && (stored.dtype != wanted.dtype ||
                             stored.unit != wanted.unit || stored.storage.is_decimal());
  return is_converted ? static_cast<double>(chunk.num_values) *
                            static_cast<double>(ElementSize(wanted.dtype))
                      : 0;
}

}  // namespace

int64_t DecodedValueBytes(const Column& wanted) {
  const bool is_blob = wanted.storage.physical == ColumnStorage::kFixedLenByteArray &&
                       !wanted.storage.is_decimal() && wanted.dtype == DType::kUInt8;
  return ElementSize(wanted.dtype) * (is_blob ? wanted.storage.type_length : 1);
}

int64_t DecodingBytes(const Column& stored, const Column& wanted,
                      const ColumnChunk& chunk, const ChunkDecoding& how) {
  const double encoded = std::max(1024.0 * chunk.uncompressed_kib, 1.0);
  const auto num_values = static_cast<double>(chunk.num_values);
  const double share =
      std::min(1.0, static_cast<double>(how.num_rows) /
                            std::max(1.0, static_cast<double>(how.group_rows)) +
                        kPagesAtEnds / encoded);
  const double read = ArePagesCounted(stored, chunk, how) ? share * encoded : encoded;
  // Pages are decompressed to other memory, and those of byte strings are copied there.
  const bool has_copies =
      chunk.codec != kUncompressed || stored.is_bytes() || wanted.is_variable();
  double decoded = has_copies ? std::min(read, share * encoded) : 0;
  if (how.holds_rows && !wanted.is_variable()) {
    const double values =
        num_values * static_cast<double>(HeldValueBytes(stored, wanted));
    decoded = std::max(decoded, share * values);
    if (stored.is_bytes()) decoded += share * encoded;  // bytes that views point to
  }
  decoded += share * ConvertedBytes(stored, wanted, chunk);
  if (how.has_mask) decoded += share * num_values;
  return static_cast<int64_t>(std::min(read + decoded, kMostBytes));
}

}  // namespace rowfeed
