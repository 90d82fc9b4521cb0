// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_SPLIT_BLOCK_BLOOM_H_
#define ROWFEED_CORE_FILTER_BOUNDS_SPLIT_BLOCK_BLOOM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// The bloom filter of a column chunk, as the Parquet format defines it: blocks of 32
// bytes, of which a look-up needs one. Only that block is read; Arrow's reader reads
// all blocks, which for unique keys is much memory.
class SplitBlockBloom {
 public:
  // Reads the bloom filter's header at `offset`. Returns nullopt if its kind is
  // unknown, if header and blocks are not as long as the footer says (`length`;
  // nullopt: it does not say), or if it has no bit at all: it would say that the chunk
  // has no values. `file` must outlive the result.
  static Result<std::optional<SplitBlockBloom>> Open(const RandomAccessFile& file,
                                                     int64_t offset,
                                                     std::optional<int64_t> length);

  // Returns a copy of the bloom filter that reads through `file`, another object for
  // the same file. `file` must outlive the copy.
  SplitBlockBloom In(const RandomAccessFile& file) const {
    SplitBlockBloom bloom = *this;
    bloom.file_ = &file;
    return bloom;
  }

  // False only if no value of the chunk has this hash (parquet::XxHasher). True if the
  // bits that it finds cannot come from values.
  Result<bool> MayHold(uint64_t hash) const;

 private:
  SplitBlockBloom(const RandomAccessFile* file, int64_t begin, int64_t num_blocks)
      : file_(file), begin_(begin), num_blocks_(num_blocks) {}

  // Whether one of the bits of all blocks is set.
  Result<bool> HasBits(int64_t num_bytes) const;

  const RandomAccessFile* file_;
  int64_t begin_;  // position of the first block in the file
  int64_t num_blocks_;
  std::vector<uint8_t> blocks_;  // all blocks, if the file is remote (one request)
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_SPLIT_BLOCK_BLOOM_H_
