// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_CHUNK_READER_H_
#define ROWFEED_CORE_DECODE_PAGES_CHUNK_READER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/decode/chunk/chunk_request.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

using Bytes = std::span<const uint8_t>;

// Reads the bytes of one column chunk: where it is known where its pages lie, those
// that hold wanted rows; else all at once where the chunk is small or all its rows are
// wanted, or what is asked for. Offsets count from the chunk's first byte.
class ChunkReader {
 public:
  // What is read for a page header: holds most of them; pages that are much smaller
  // share a read.
  static constexpr int64_t kPeekSize = int64_t{4} << 10;
  // Below this, one read costs less than finding out what can be left out.
  static constexpr int64_t kSmallChunk = int64_t{512} << 10;

  // Checks that the request makes sense and that the chunk lies in the file, before
  // memory is set aside for it.
  static Result<ChunkReader> Open(const ChunkRequest& request,
                                  std::shared_ptr<BufferPool> pool);
  // The same, but reads only what is asked for, whatever the chunk.
  static Result<ChunkReader> OpenLazily(const ChunkRequest& request,
                                        std::shared_ptr<BufferPool> pool);

  int64_t size() const { return size_; }
  int64_t offset() const { return offset_; }  // of the chunk, in the file

  // `size` bytes or all that the chunk has from `offset` on; maybe more, since what is
  // not there yet is read with as many as `read_size`. Valid until the next call.
  Result<Bytes> Peek(int64_t offset, int64_t size, int64_t read_size = kPeekSize);
  // Bytes [begin, end), valid as long as the buffers. The range must lie in the chunk.
  Result<Bytes> Load(int64_t begin, int64_t end);

  // The memory that Load returned parts of.
  std::vector<Buffer> TakeBuffers() { return std::move(buffers_); }

 private:
  ChunkReader(const ChunkRequest& request, std::shared_ptr<BufferPool> pool)
      : file_(request.file),
        offset_(request.chunk.offset),
        size_(request.chunk.size),
        pool_(std::move(pool)) {}

  // Bytes of the chunk that were read before they were asked for.
  struct Range {
    int64_t begin;
    Bytes bytes;
  };

  Status LoadPages(const ChunkRequest& request);
  // Those of the range from `offset` on; empty unless it has `size` of them.
  Bytes FindLoaded(int64_t offset, int64_t size) const;

  const RandomAccessFile* file_;
  int64_t offset_;
  int64_t size_;
  std::shared_ptr<BufferPool> pool_;
  std::vector<Range> loaded_;
  Buffer peeked_;
  int64_t peeked_begin_ = 0;
  int64_t peeked_end_ = 0;
  std::vector<Buffer> buffers_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_CHUNK_READER_H_
