// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_CRC32_H_
#define ROWFEED_CORE_DECODE_PAGES_CRC32_H_

#include <cstddef>
#include <cstdint>

namespace rowfeed {

// Computes the CRC32 that Parquet stores for pages, which is also that of zlib and
// gzip. Adds `size` bytes of `data` to the checksum `before` of the bytes in front of
// them; `before` is 0 if there are none.
uint32_t Crc32(uint32_t before, const uint8_t* data, size_t size);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_CRC32_H_
