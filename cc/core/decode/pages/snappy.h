// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_SNAPPY_H_
#define ROWFEED_CORE_DECODE_PAGES_SNAPPY_H_

#include <cstdint>
#include <span>

#include "core/status.h"

namespace rowfeed {

// Decompresses the raw Snappy stream `in` into `out`. Returns kCorrupt unless the
// result fills `out` to the last byte. Writes nothing outside of `out`, whatever the
// stream says. The format is described in format_description.txt of
// github.com/google/snappy.
Status DecompressSnappy(std::span<const uint8_t> in, std::span<uint8_t> out);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_SNAPPY_H_
