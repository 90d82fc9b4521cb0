// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_FILE_LAYOUT_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_FILE_LAYOUT_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/catalog/schema/column.h"

namespace rowfeed {

// Says how a file's column differs from that of the data set. Such a file can be read
// only if the options for the column make up for the difference: see
// stream/options/settled.h.
struct Difference {
  enum class Kind : uint8_t {
    kMissing,  // the file lacks the column: each row is null
    kNulls,    // the file has nulls without a type: each row is null
    kOther,    // the file has another type
  };

  int32_t column = 0;  // number of the column in the catalog
  Kind kind = Kind::kMissing;
  // Only for kOther: the column as the file has it. If it is `unsupported`, it serves
  // only for error messages.
  Column as_stored = {};

  // Whether all of the file's rows are null, so that no chunk is read.
  bool is_null() const { return kind != Kind::kOther; }
  bool operator==(const Difference& other) const {
    return column == other.column && kind == other.kind && as_stored == other.as_stored;
  }
};

// How a file stores the columns of a data set. Many files share one layout.
struct FileLayout {
  std::vector<ColumnStorage> storage;   // how each column is stored
  std::vector<Difference> differences;  // columns that differ, ascending; mostly none

  // Returns how the file's column differs; nullptr if it does not.
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

// Returns the storage of a column that is in no file and whose rows are all null.
inline ColumnStorage NullStorage(ColumnStorage storage) {
  ++storage.max_definition_level;
  for (int16_t& level : storage.slot_definition_levels) ++level;
  return storage;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_FILE_LAYOUT_H_
