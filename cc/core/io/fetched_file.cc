// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/fetched_file.h"

#include <algorithm>
#include <cstring>

namespace rowfeed {

bool CopyFetched(const std::vector<FetchedExtent>& fetched, const Extent& extent,
                 uint8_t* out) {
  // The first that may have the first byte.
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

}  // namespace rowfeed
