// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_GLOB_H_
#define ROWFEED_CORE_GLOB_H_

#include <string_view>

#include "core/export.h"

namespace rowfeed {

// Whether `pattern` has one of the characters * ? [
bool HasGlob(std::string_view pattern);

// Whether `pattern` matches the whole of one name. `*` matches any run of characters,
// `?` one character, `[abc]` or `[a-z]` one character of a set, and `[!abc]` one
// outside of it; a `[` without a `]` matches itself. A character is a code point of
// UTF-8, or a byte where the name is not UTF-8. There is no locale and no escape
// character: `[*]` matches a star.
ROWFEED_EXPORT bool MatchGlob(std::string_view pattern, std::string_view name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_GLOB_H_
