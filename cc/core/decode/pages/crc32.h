// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_CRC32_H_
#define ROWFEED_CORE_DECODE_PAGES_CRC32_H_

#include <cstddef>
#include <cstdint>

namespace rowfeed {

// The checksum of Parquet's pages, which is that of zlib and gzip: of `size` more
// bytes, after those whose checksum is `before` (0: none).
uint32_t Crc32(uint32_t before, const uint8_t* data, size_t size);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_CRC32_H_
