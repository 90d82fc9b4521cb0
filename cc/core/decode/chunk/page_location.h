// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_PAGE_LOCATION_H_
#define ROWFEED_CORE_DECODE_CHUNK_PAGE_LOCATION_H_

#include <cstdint>
#include <vector>

namespace rowfeed {

// A data page that begins with a row and ends with one.
struct PageLocation {
  int64_t offset;     // of its header, from the chunk's first byte
  int64_t size;       // bytes, with its header
  int64_t first_row;  // of the row group
};

// The data pages of a chunk, in order. None: it is not known where they are.
using PageLocations = std::vector<PageLocation>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_PAGE_LOCATION_H_
