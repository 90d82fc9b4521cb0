// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_COALESCE_H_
#define ROWFEED_CORE_IO_COALESCE_H_

#include <cstdint>
#include <vector>

#include "core/io/random_access_file.h"

namespace rowfeed {

// What a request may be. A gap is read with its neighbours while that costs less than
// another round trip; what is longer than a request is read by several at once.
struct RequestSizes {
  int64_t max_gap = int64_t{256} << 10;
  int64_t max_request = int64_t{8} << 20;
};

// The requests that cover all extents, by ascending offset, none overlapping: a run of
// extents without a longer gap is cut into equal parts. Empty extents need none.
std::vector<Extent> Coalesce(std::vector<Extent> extents, const RequestSizes& sizes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_COALESCE_H_
