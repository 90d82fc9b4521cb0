// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/chunk_reader.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/decode/pages/page_locations.h"

namespace rowfeed {
namespace {

Status CheckRequest(const ChunkRequest& request) {
  if (request.begin_row < 0 || request.end_row < request.begin_row ||
      request.end_row > request.group_rows) {
    return Status::Make(StatusCode::kInternal, "rows [", request.begin_row, ", ",
                        request.end_row, ") do not lie in a row group of ",
                        request.group_rows);
  }
  const ColumnChunk& chunk = request.chunk;
  const int64_t file_size = request.file->size();
  if (chunk.offset < 0 || chunk.size < 0 || chunk.size > file_size ||
      chunk.offset > file_size - chunk.size) {
    return Status::Corrupt("the chunk's ", chunk.size, " bytes at ", chunk.offset,
                           " do not lie in a file of ", file_size);
  }
  return {};
}

}  // namespace

Result<ChunkReader> ChunkReader::OpenLazily(const ChunkRequest& request,
                                            std::shared_ptr<BufferPool> pool) {
  ROWFEED_RETURN_NOT_OK(CheckRequest(request));
  return ChunkReader(request, std::move(pool));
}

Result<ChunkReader> ChunkReader::Open(const ChunkRequest& request,
                                      std::shared_ptr<BufferPool> pool) {
  ROWFEED_ASSIGN_OR_RETURN(ChunkReader reader, OpenLazily(request, std::move(pool)));
  const bool is_located = request.pages != nullptr && !request.pages->empty();
  if (is_located) {
    ROWFEED_RETURN_NOT_OK(reader.LoadPages(request));
  } else if (request.wants_all() || reader.size_ <= kSmallChunk ||
             request.file->is_remote()) {
    ROWFEED_ASSIGN_OR_RETURN(const Bytes whole, reader.Load(0, reader.size_));
    reader.loaded_.push_back({0, whole});
  }
  return reader;
}

// Wanted pages that lie side by side are read with one read.
Status ChunkReader::LoadPages(const ChunkRequest& request) {
  const PageLocations& pages = *request.pages;
  for (size_t i = 0; i < pages.size();) {
    if (!IsWanted(request, i)) {
      ++i;
      continue;
    }
    const int64_t begin = pages[i].offset;
    int64_t end = begin;
    for (; i < pages.size() && pages[i].offset == end && IsWanted(request, i); ++i) {
      end = pages[i].offset + pages[i].size;
    }
    ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes, Load(begin, end));
    loaded_.push_back({begin, bytes});
  }
  return {};
}

Bytes ChunkReader::FindLoaded(int64_t offset, int64_t size) const {
  const auto behind =
      std::upper_bound(loaded_.begin(), loaded_.end(), offset,
                       [](int64_t at, const Range& range) { return at < range.begin; });
  if (behind == loaded_.begin()) return {};
  const Range& range = *std::prev(behind);
  const int64_t skip = offset - range.begin;
  if (skip + size > std::ssize(range.bytes)) return {};
  return range.bytes.subspan(skip);
}

Result<Bytes> ChunkReader::Peek(int64_t offset, int64_t size, int64_t read_size) {
  const int64_t end = std::min(size_, offset + size);
  const Bytes loaded = FindLoaded(offset, end - offset);
  if (!loaded.empty()) return loaded;
  if (offset < peeked_begin_ || end > peeked_end_) {
    const int64_t read = std::min(size_ - offset, std::max(size, read_size));
    if (!peeked_ || peeked_.capacity() < read) {
      ROWFEED_ASSIGN_OR_RETURN(peeked_, pool_->Allocate(read));
    }
    ROWFEED_RETURN_NOT_OK(file_->ReadAt(offset_ + offset, read, peeked_.data()));
    peeked_begin_ = offset;
    peeked_end_ = offset + read;
  }
  return Bytes(peeked_.data(), peeked_end_ - peeked_begin_)
      .subspan(offset - peeked_begin_);
}

Result<Bytes> ChunkReader::Load(int64_t begin, int64_t end) {
  const Bytes loaded = FindLoaded(begin, end - begin);
  if (!loaded.empty()) return loaded.first(end - begin);
  ROWFEED_ASSIGN_OR_RETURN(Buffer buffer, pool_->Allocate(end - begin));
  if (peeked_ && peeked_begin_ <= begin && end <= peeked_end_) {
    std::memcpy(buffer.data(), peeked_.data() + (begin - peeked_begin_), end - begin);
  } else {
    ROWFEED_RETURN_NOT_OK(file_->ReadAt(offset_ + begin, end - begin, buffer.data()));
  }
  const Bytes bytes(buffer.data(), end - begin);
  buffers_.push_back(std::move(buffer));
  return bytes;
}

}  // namespace rowfeed
