// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_GLOB_H_
#define ROWFEED_CORE_CATALOG_GLOB_H_

#include <string_view>

namespace rowfeed {

// True if `pattern` holds one of the characters * ? [
bool HasGlob(std::string_view pattern);

// Matches one whole name. `*` is any run of characters, `?` one character, `[abc]`,
// `[a-z]` one of a set, `[!abc]` one outside of it; a `[` without its `]` is itself. A
// character is one of UTF-8, or a byte where the name is not UTF-8. No locale, no
// escapes: `[*]` is a star.
bool MatchGlob(std::string_view pattern, std::string_view name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_GLOB_H_
