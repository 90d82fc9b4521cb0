// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_PAGE_LOCATION_H_
#define ROWFEED_CORE_DECODE_CHUNK_PAGE_LOCATION_H_

#include <cstdint>
#include <vector>

namespace rowfeed {

// Where a data page lies that begins with the start of a row and ends with the end of
// one.
struct PageLocation {
  int64_t offset;     // position of its header in the chunk
  int64_t size;       // bytes of header and body
  int64_t first_row;  // number of its first row in the row group
};

// Where all data pages of a chunk lie, in order. Empty: unknown.
using PageLocations = std::vector<PageLocation>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_PAGE_LOCATION_H_
