// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_COALESCE_H_
#define ROWFEED_CORE_IO_COALESCE_H_

#include <cstdint>
#include <vector>

#include "core/io/random_access_file.h"

namespace rowfeed {

// Limits for requests to a store. A gap between two extents is read along with them if
// that costs less than another round trip. A part longer than max_request is read by
// several requests at once.
struct RequestSizes {
  int64_t max_gap = int64_t{256} << 10;
  int64_t max_request = int64_t{8} << 20;
};

// Returns requests that cover all extents: by ascending offset, not overlapping.
// Extents with gaps of at most max_gap between them form a run, which is cut into equal
// parts of at most max_request bytes. Empty extents need no request.
std::vector<Extent> Coalesce(std::vector<Extent> extents, const RequestSizes& sizes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_COALESCE_H_
