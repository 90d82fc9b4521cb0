// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/fetched_file.h"

#include <algorithm>
#include <cstring>

namespace rowfeed {

bool CopyFetched(const std::vector<FetchedExtent>& fetched, const Extent& extent,
                 uint8_t* out) {
  // The first part that may contain the first byte.
  auto next = std::upper_bound(
      fetched.begin(), fetched.end(), extent.offset,
      [](int64_t offset, const FetchedExtent& f) { return offset < f.extent.end(); });
  int64_t offset = extent.offset;
  for (; offset < extent.end(); ++next) {
    if (next == fetched.end() || next->extent.offset > offset) return false;
    const int64_t end = std::min(next->extent.end(), extent.end());
    std::memcpy(out, next->bytes.get() + (offset - next->extent.offset), end - offset);
    out += end - offset;
    offset = end;
  }
  return true;
}

Status FetchInto(const RandomAccessFile& file, const std::vector<ReadRequest>& requests,
                 const Cancelled& cancelled) {
  std::vector<Extent> extents;
  extents.reserve(requests.size());
  for (const ReadRequest& request : requests) extents.push_back(request.extent);
  ROWFEED_ASSIGN_OR_RETURN(const auto fetched, file.Fetch(extents, nullptr, cancelled));
  if (!fetched.empty()) ROWFEED_RETURN_NOT_OK(file.CheckUnchanged(cancelled));
  for (const ReadRequest& request : requests) {
    CopyFetched(fetched, request.extent, request.out);
  }
  return {};
}

Status FetchedFile::Read(const std::vector<ReadRequest>& requests) const {
  if (!has_fetched()) return file_->Read(requests);
  std::vector<ReadRequest> missing;
  for (const ReadRequest& request : requests) {
    ROWFEED_RETURN_NOT_OK(CheckExtent(*this, request.extent));
    if (!CopyFetched(fetched_, request.extent, request.out)) missing.push_back(request);
  }
  return missing.empty() ? Status() : file_->Read(missing);
}

}  // namespace rowfeed
