// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_FILE_LAYOUT_H_
#define ROWFEED_CORE_CATALOG_FILE_LAYOUT_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/catalog/column.h"

namespace rowfeed {

// How a file has a column that is another one there than in the data set. It is read
// only if what is asked of the column makes up for that: see stream/options/settled.h.
struct Difference {
  enum class Kind : uint8_t {
    kMissing,  // the file does not have it: each row is null
    kNulls,    // the file has nulls without a type: each row is null
    kOther,    // the file has another type
  };

  int32_t column = 0;  // index among the catalog's columns
  Kind kind = Kind::kMissing;
  // kOther: the column as the file has it; where it is `unsupported`, for people alone.
  Column as_stored = {};

  // No chunk of the file is read: all of its rows are null.
  bool is_null() const { return kind != Kind::kOther; }
  bool operator==(const Difference& other) const {
    return column == other.column && kind == other.kind && as_stored == other.as_stored;
  }
};

// How a file stores the columns of a data set. Many files share one.
struct FileLayout {
  std::vector<ColumnStorage> storage;   // of each column
  std::vector<Difference> differences;  // ascending by column; mostly none

  // nullptr: the file has the column as the data set does.
  const Difference* Find(int column) const {
    const auto found = std::lower_bound(
        differences.begin(), differences.end(), column,
        [](const Difference& difference, int c) { return difference.column < c; });
    return found != differences.end() && found->column == column ? &*found : nullptr;
  }
  bool operator==(const FileLayout& other) const {
    return storage == other.storage && differences == other.differences;
  }
};

// The storage of a column all of whose rows are null, as no file has it.
inline ColumnStorage NullStorage(ColumnStorage storage) {
  ++storage.max_definition_level;
  for (int16_t& level : storage.slot_definition_levels) ++level;
  return storage;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_FILE_LAYOUT_H_
