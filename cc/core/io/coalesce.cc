// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/coalesce.h"

#include <algorithm>

#include "core/ceil_div.h"

namespace rowfeed {
namespace {

void Cut(const Extent& run, int64_t max_request, std::vector<Extent>* requests) {
  const int64_t num_parts = CeilDiv(run.size, max_request);
  int64_t begin = 0;
  for (int64_t part = 1; part <= num_parts; ++part) {
    const int64_t end =
        run.size / num_parts * part + run.size % num_parts * part / num_parts;
    requests->push_back({run.offset + begin, end - begin});
    begin = end;
  }
}

}  // namespace

std::vector<Extent> Coalesce(std::vector<Extent> extents, const RequestSizes& sizes) {
  std::erase_if(extents, [](const Extent& extent) { return extent.size == 0; });
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
  std::vector<Extent> requests;
  for (size_t i = 0; i < extents.size();) {
    Extent run = extents[i++];
    while (i < extents.size() && extents[i].offset - run.end() <= sizes.max_gap) {
      run.size = std::max(run.end(), extents[i++].end()) - run.offset;
    }
    Cut(run, sizes.max_request, &requests);
  }
  return requests;
}

}  // namespace rowfeed
