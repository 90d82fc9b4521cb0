// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/random_access_file.h"

#include <algorithm>
#include <iterator>

namespace rowfeed {

RandomAccessFile::~RandomAccessFile() = default;

Result<std::vector<FetchedExtent>> RandomAccessFile::Fetch(
    const std::vector<Extent>& extents, const std::shared_ptr<BufferPool>& /*buffers*/,
    const Cancelled& /*cancelled*/) const {
  std::vector<FetchedExtent> fetched;
  for (const Extent& extent : extents) {
    ROWFEED_RETURN_NOT_OK(CheckExtent(*this, extent));
    std::shared_ptr<uint8_t[]> bytes(new uint8_t[extent.size]);
    ROWFEED_RETURN_NOT_OK(ReadAt(extent.offset, extent.size, bytes.get()));
    fetched.push_back({extent, std::move(bytes)});
  }
  std::sort(fetched.begin(), fetched.end(), [](const auto& a, const auto& b) {
    return a.extent.offset < b.extent.offset;
  });
  return fetched;
}

int64_t TotalBytes(const std::vector<ReadRequest>& requests) {
  int64_t bytes = 0;
  for (const ReadRequest& request : requests) bytes += request.extent.size;
  return bytes;
}

ReadRequests::const_iterator EndOfRead(ReadRequests::const_iterator begin,
                                       ReadRequests::const_iterator end) {
  auto next = std::next(begin);
  while (next != end && next->extent.offset == std::prev(next)->extent.end()) ++next;
  return next;
}

int64_t NumReads(const ReadRequests& requests) {
  int64_t num_reads = 0;
  for (auto next = requests.begin(); next != requests.end(); ++num_reads) {
    next = EndOfRead(next, requests.end());
  }
  return num_reads;
}

bool IsLost(const Status& status) {
  return status.code() == StatusCode::kNotFound ||
         status.code() == StatusCode::kCorrupt;
}

Status CheckExtent(const RandomAccessFile& file, const Extent& extent) {
  const auto& [offset, size] = extent;
  if (offset >= 0 && size >= 0 && offset <= file.size() &&
      size <= file.size() - offset) {
    return {};
  }
  return Status::Corrupt(file.path(), ": bytes [", offset, ", ", offset, " + ", size,
                         ") asked for, but the file has ", file.size());
}

Status CheckVersion(const std::string& path, const FileVersion& expected,
                    const FileVersion& found) {
  if (expected == found) return {};
  if (!expected.etag.empty() || !found.etag.empty()) {
    return Status::Corrupt(path, " changed since it was catalogued: size was ",
                           expected.size, ", is ", found.size, "; etag was ",
                           expected.etag, ", is ", found.etag);
  }
  return Status::Corrupt(path, " changed since it was catalogued: size was ",
                         expected.size, ", is ", found.size, "; mtime was ",
                         expected.mtime_ns, " ns, is ", found.mtime_ns, " ns");
}

}  // namespace rowfeed
