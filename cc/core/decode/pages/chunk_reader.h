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

// Reads the bytes of one column chunk from its file. If the request says where the
// chunk's pages lie (request.pages), Open reads the pages that hold wanted rows.
// Otherwise Open reads the whole chunk if it is small, remote or wanted entirely; of
// any other chunk it reads nothing, and the caller reads the parts that it needs. All
// offsets count from the chunk's first byte.
class ChunkReader {
 public:
  // Size of one read when a caller looks at a page header, in bytes. Most headers fit
  // in it, and several pages that are much smaller share one read.
  static constexpr int64_t kPeekSize = int64_t{4} << 10;
  // Chunks of at most this many bytes are read whole: one read costs less than finding
  // out which parts can be left out.
  static constexpr int64_t kSmallChunk = int64_t{512} << 10;

  // Fails with kInternal if the requested rows do not lie in the row group, and with
  // kCorrupt if the chunk does not lie in the file. Both are checked before memory is
  // set aside for the chunk.
  static Result<ChunkReader> Open(const ChunkRequest& request,
                                  std::shared_ptr<BufferPool> pool);
  // Like Open, but reads nothing in advance: each Peek and Load reads only what it
  // needs.
  static Result<ChunkReader> OpenLazily(const ChunkRequest& request,
                                        std::shared_ptr<BufferPool> pool);

  int64_t size() const { return size_; }
  int64_t offset() const { return offset_; }  // position of the chunk in the file

  // Returns at least `size` bytes from `offset` on; fewer only if the chunk ends
  // before. Bytes that are not in memory yet are read with one read of at least
  // `read_size` bytes. The result is valid until the next call of Peek.
  Result<Bytes> Peek(int64_t offset, int64_t size, int64_t read_size = kPeekSize);
  // Returns bytes [begin, end), which must lie in the chunk. They are valid as long as
  // the buffers that TakeBuffers hands out.
  Result<Bytes> Load(int64_t begin, int64_t end);

  // Hands out the buffers that own all bytes returned by Load.
  std::vector<Buffer> TakeBuffers() { return std::move(buffers_); }

 private:
  ChunkReader(const ChunkRequest& request, std::shared_ptr<BufferPool> pool)
      : file_(request.file),
        offset_(request.chunk.offset),
        size_(request.chunk.size),
        pool_(std::move(pool)) {}

  // A part of the chunk that Open has read in advance.
  struct Range {
    int64_t begin;
    Bytes bytes;
  };

  Status LoadPages(const ChunkRequest& request);
  // Returns the bytes from `offset` to the end of the range in loaded_ that contains
  // it; empty unless the range holds at least `size` bytes from there.
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
