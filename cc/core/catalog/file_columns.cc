// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/file_columns.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace rowfeed {
namespace {

using Kind = Difference::Kind;

// Makes the difference of a column that no option can make readable. Error messages
// show `type` as the column's type in the file, and `why` as the reason.
Difference Another(const std::string& type, std::string why) {
  Difference difference;
  difference.kind = Kind::kOther;
  difference.as_stored.logical_type = type;
  difference.as_stored.unsupported = std::move(why);
  return difference;
}

// Returns how many fields, from the outside in, the paths of both columns have in
// common.
size_t CommonDepth(const Column& a, const Column& b) {
  const size_t most = std::min(a.path.size(), b.path.size());
  size_t depth = 0;
  while (depth < most && a.path[depth] == b.path[depth]) ++depth;
  return depth;
}

bool HaveSameLists(const Column& a, const Column& b) {
  return a.storage.max_repetition_level() == b.storage.max_repetition_level();
}

// Returns `storage` with its definition levels replaced by those of `levels`, the
// storage of a file's lists of nulls without a type. Such lists store no values, so
// they can be read as lists of any type.
ColumnStorage WithLevelsOf(const ColumnStorage& levels, ColumnStorage storage) {
  storage.max_definition_level = levels.max_definition_level;
  storage.slot_definition_levels = levels.slot_definition_levels;
  return storage;
}

using Leaves = std::vector<const SchemaColumn*>;

// Returns how the file differs in a column of the data set that is no leaf of the
// file's schema. `beside` are the file's leaves in the same top-level field. They tell
// whether the column's rows can be read as nulls, or whether the file has something
// else in its place: a struct, a value that is no struct, or lists with other fields.
Difference Absent(const Column& column, const Leaves& beside) {
  for (const SchemaColumn* leaf : beside) {
    const SchemaColumn& other = *leaf;
    if (IsBelow(other.column, column.name))
      return Another("a struct", "it is a struct");
    const std::string& type = other.column.logical_type;
    // In this file, a field above the column is itself a leaf.
    if (IsBelow(column, other.column.name)) {
      return Another("'" + other.column.name + "' " + type, "it has no fields");
    }
    // Lists of the file have other fields but lack this one: it would need as many
    // nulls as each list has elements, which is not supported.
    if (other.list_depth > 0 && CommonDepth(column, other.column) >= other.list_depth) {
      return Another("missing in lists that hold '" + other.column.name + "'",
                     "its lists have other fields");
    }
  }
  return {0, Kind::kMissing, {}};
}

class Matcher {
 public:
  Matcher(const std::vector<Column>& columns, const std::vector<SchemaColumn>& schema)
      : columns_(columns), schema_(schema) {
    for (const SchemaColumn& column : schema)
      by_name_.emplace(column.column.name, &column);
  }

  FileColumns Match() && {
    for (const Column& column : columns_) Add(column);
    layout_.differences.shrink_to_fit();
    return {std::move(leaves_), std::make_shared<const FileLayout>(std::move(layout_)),
            std::move(unreadable_)};
  }

 private:
  void Add(const Column& column) {
    if (!column.unsupported.empty() || column.is_partition) {
      AddLeaf({column}, column.storage);  // never read, so differences do not matter
      return;
    }
    const SchemaColumn* leaf = Find(column);
    if (leaf == nullptr) {
      AddDifference(column, Absent(column, Beside(column)));
    } else if (!leaf->column.unsupported.empty() &&
               leaf->column.logical_type == column.logical_type) {
      unreadable_.push_back({leaves_.size(), leaf->column.unsupported});
      AddLeaf({column}, column.storage);
    } else if (AreAlike(leaf->column, column)) {
      AddLeaf(*leaf, leaf->column.storage);
    } else if (leaf->is_nulls && leaf->list_depth == 0) {
      AddDifference(column, {0, Kind::kNulls, {}});
    } else if (leaf->is_nulls && HaveSameLists(leaf->column, column)) {
      AddLeaf(*leaf, WithLevelsOf(leaf->column.storage, column.storage));
    } else {
      AddDifference(column, {0, Kind::kOther, leaf->column}, *leaf);
    }
  }

  // Returns the file's leaf with the column's name. Without one, returns a leaf that
  // has only nulls and stands in the place of a field that the column lies in. Returns
  // nullptr if there is neither.
  const SchemaColumn* Find(const Column& column) {
    const auto found = by_name_.find(column.name);
    if (found != by_name_.end()) return found->second;
    if (column.path.size() == 1) return nullptr;
    for (const SchemaColumn* leaf : Beside(column)) {
      if (leaf->is_nulls && IsBelow(column, leaf->column.name)) return leaf;
    }
    return nullptr;
  }

  // Returns the file's leaves in the same top-level field as the column.
  const Leaves& Beside(const Column& column) {
    if (by_field_.empty()) {
      for (const SchemaColumn& leaf : schema_) {
        by_field_[leaf.column.path[0]].push_back(&leaf);
      }
    }
    return by_field_[column.path[0]];
  }

  void AddDifference(const Column& column, Difference difference,
                     SchemaColumn leaf = {}) {
    difference.column = static_cast<int32_t>(leaves_.size());
    leaf.column.name = column.name;
    if (!difference.as_stored.unsupported.empty()) leaf.leaf = -1;
    const ColumnStorage storage = difference.is_null() ? NullStorage(column.storage)
                                                       : difference.as_stored.storage;
    layout_.differences.push_back(std::move(difference));
    AddLeaf(std::move(leaf), storage);
  }

  void AddLeaf(SchemaColumn leaf, const ColumnStorage& storage) {
    leaves_.push_back(std::move(leaf));
    layout_.storage.push_back(storage);
  }

  const std::vector<Column>& columns_;
  const std::vector<SchemaColumn>& schema_;
  std::unordered_map<std::string, const SchemaColumn*> by_name_;
  // The file's leaves by top-level field. Filled when first needed.
  std::unordered_map<std::string, Leaves> by_field_;
  std::vector<SchemaColumn> leaves_;
  FileLayout layout_;
  std::vector<Unreadable> unreadable_;
};

}  // namespace

bool IsBelow(const Column& column, const std::string& name) {
  if (column.name == name) return true;
  std::string above;
  for (const std::string& field : column.path) {
    if (!above.empty()) above += '.';
    above += field;
    if (above == name) return true;
  }
  return false;
}

FileColumns MatchColumns(const std::vector<Column>& columns,
                         const std::vector<SchemaColumn>& schema) {
  return Matcher(columns, schema).Match();
}

}  // namespace rowfeed
