// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_HEX_DIGEST_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_HEX_DIGEST_H_

#include <string>
#include <string_view>

namespace rowfeed {

// Returns the 128-bit XXH3 hash of the bytes as 32 hexadecimal digits.
std::string HexDigest(std::string_view bytes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_HEX_DIGEST_H_
