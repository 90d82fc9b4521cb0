// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/split_block_bloom.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/thrift_reader.h"

namespace rowfeed {
namespace {

// The multipliers that the Parquet format defines for bloom filters. Each one chooses,
// by its product with a value's hash, one bit in its word of a block.
constexpr std::array<uint32_t, 8> kSalts{0x47b6137bU, 0x44974d91U, 0x8824ad5bU,
                                         0xa2b7289dU, 0x705495c7U, 0x2df1424bU,
                                         0x9efc4947U, 0x5c6bfb31U};
using Block = std::array<uint32_t, kSalts.size()>;
constexpr auto kBlockBytes = static_cast<int64_t>(sizeof(Block));
constexpr int64_t kMaxHeaderBytes = 64;  // the header has four small fields

// Reads one of the header's unions (algorithm, hash or compression). Returns whether
// it holds kind 1, the only kind that the Parquet format has defined so far.
bool IsFirstKind(ThriftReader* reader, const ThriftReader::Field& field) {
  if (!reader->EnterStruct(field)) return false;
  bool is_first = false;
  for (ThriftReader::Field kind; reader->NextField(&kind);) {
    is_first = kind.id == 1;
    reader->Skip(kind);
  }
  return is_first;
}

bool HasBit(const uint8_t* bytes, int64_t size) {
  return std::any_of(bytes, bytes + size, [](uint8_t byte) { return byte != 0; });
}

}  // namespace

Result<std::optional<SplitBlockBloom>> SplitBlockBloom::Open(
    const RandomAccessFile& file, int64_t offset, std::optional<int64_t> length) {
  const std::optional<SplitBlockBloom> unknown;
  if (offset < 0 || offset >= file.size()) return unknown;
  std::array<uint8_t, kMaxHeaderBytes> header{};
  const int64_t size = std::min(kMaxHeaderBytes, file.size() - offset);
  ROWFEED_RETURN_NOT_OK(file.ReadAt(offset, size, header.data()));
  ThriftReader reader(header.data(), size);
  int64_t num_bytes = 0;
  // How many of the header's unions (algorithm, hash, compression) hold a known kind.
  int num_kinds = 0;
  int num_fields = 0;
  for (ThriftReader::Field field; reader.NextField(&field); ++num_fields) {
    if (field.id == 1) {
      num_bytes = reader.ReadI32(field);
    } else if (IsFirstKind(&reader, field)) {
      ++num_kinds;
    }
  }
  const int64_t begin = offset + reader.consumed();
  // A bloom filter's header must have four fields, each once: its number of bytes and
  // the kinds of algorithm, hash and compression.
  const bool is_known = num_fields == 4 && num_kinds == 3;
  if (!reader.ok() || !is_known || num_bytes < kBlockBytes ||
      num_bytes % kBlockBytes != 0 || num_bytes > file.size() - begin) {
    return unknown;
  }
  // `length` is the footer's bloom_filter_length, which includes the header.
  if (length && *length != reader.consumed() + num_bytes) return unknown;
  SplitBlockBloom bloom(&file, begin, num_bytes / kBlockBytes);
  if (file.is_remote()) {
    bloom.blocks_.resize(num_bytes);
    ROWFEED_RETURN_NOT_OK(file.ReadAt(begin, num_bytes, bloom.blocks_.data()));
  }
  // The first blocks came with the header, and mostly have a bit.
  const auto* read = header.data() + reader.consumed();
  const int64_t num_read = std::min(num_bytes, size - reader.consumed());
  ROWFEED_ASSIGN_OR_RETURN(const bool has_bits,
                           HasBit(read, num_read) ? true : bloom.HasBits(num_bytes));
  if (!has_bits) return unknown;
  return std::optional(std::move(bloom));
}

Result<bool> SplitBlockBloom::HasBits(int64_t num_bytes) const {
  if (!blocks_.empty()) return HasBit(blocks_.data(), num_bytes);
  constexpr int64_t kStepBytes = 16 << 10;
  std::vector<uint8_t> part(std::min(kStepBytes, num_bytes));
  for (int64_t offset = 0; offset < num_bytes; offset += kStepBytes) {
    const int64_t size = std::min(kStepBytes, num_bytes - offset);
    ROWFEED_RETURN_NOT_OK(file_->ReadAt(begin_ + offset, size, part.data()));
    if (HasBit(part.data(), size)) return true;
  }
  return false;
}

Result<bool> SplitBlockBloom::MayHold(uint64_t hash) const {
  constexpr int kHalf = 32;
  const auto index = static_cast<int64_t>(
      ((hash >> kHalf) * static_cast<uint64_t>(num_blocks_)) >> kHalf);
  Block block;
  if (blocks_.empty()) {
    ROWFEED_RETURN_NOT_OK(file_->ReadAt(begin_ + index * kBlockBytes, kBlockBytes,
                                        reinterpret_cast<uint8_t*>(block.data())));
  } else {
    std::memcpy(block.data(), blocks_.data() + index * kBlockBytes, kBlockBytes);
  }
  constexpr int kBitShift = 27;  // keeps the upper five bits
  const auto key = static_cast<uint32_t>(hash);
  // Each value sets one bit in every word of its block. A block with a word of zeros
  // beside another word was damaged.
  const auto num_empty = std::count(block.begin(), block.end(), 0U);
  if (num_empty > 0 && num_empty < static_cast<int64_t>(block.size())) return true;
  for (size_t i = 0; i < block.size(); ++i) {
    if ((block[i] >> ((key * kSalts[i]) >> kBitShift) & 1U) == 0) return false;
  }
  return true;
}

}  // namespace rowfeed
