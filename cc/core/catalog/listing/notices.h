// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_NOTICES_H_
#define ROWFEED_CORE_CATALOG_LISTING_NOTICES_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace rowfeed {

// What to tell the user about data that can be read, but may not be what was meant.
struct Notices {
  std::vector<std::string> sentences;
  // The columns that only later files have, and that the catalog leaves out because
  // nobody named columns; for each, the path of the first file that has it, as messages
  // show it.
  std::map<std::string, std::string> left_out;
};

// Returns a text such as "a, b, c and 4 more", with the first names in bytewise order.
inline std::string FirstOf(const std::set<std::string>& names) {
  constexpr size_t kMaxShown = 3;
  std::string text;
  size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == kMaxShown) break;
    if (shown++ > 0) text += ", ";
    text += name;
  }
  if (names.size() > shown) {
    text.append(" and ").append(std::to_string(names.size() - shown)).append(" more");
  }
  return text;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_NOTICES_H_
