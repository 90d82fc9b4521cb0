// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/catalog.h"

#include "core/catalog/schema/column_errors.h"
#include "core/io/uri.h"

namespace rowfeed {

void Catalog::IndexNames() {
  by_name_.clear();
  by_name_.reserve(columns_.size());
  for (size_t c = 0; c < columns_.size(); ++c) {
    by_name_.emplace(columns_[c].name, static_cast<int>(c));
  }
}

Result<int> Catalog::ColumnIndex(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return UnknownColumn(name, columns_);
  const Column& column = columns_[found->second];
  if (!column.unsupported.empty()) return UnsupportedColumn(column, columns_);
  return found->second;
}

std::optional<Constant> Catalog::file_constant(size_t file, int column) const {
  if (columns_[column].is_partition) {
    return ConstantOf(columns_[column], files_[file].partitions);
  }
  const Difference* difference = layout(file).Find(column);
  if (difference == nullptr || !difference->is_null()) return std::nullopt;
  return Constant();
}

std::vector<NullGroups> Catalog::null_groups() const {
  std::vector<NullGroups> found(columns_.size());
  for (size_t i = 0; i < chunks_.size(); ++i) {
    if (!chunks_[i].has_nulls) continue;
    NullGroups& groups = found[i % columns_.size()];
    if (groups.count++ == 0) groups.first = static_cast<int64_t>(i / columns_.size());
  }
  return found;
}

std::string Catalog::Where(int64_t row_group) const {
  const RowGroup& group = row_groups_[row_group];
  return ShownPath(files_[group.file].path) + ", row group " +
         std::to_string(group.index);
}

std::string Catalog::Where(int64_t row_group, int column) const {
  return Where(row_group) + ", column '" + columns_[column].name + "'";
}

Status Catalog::ErrorAt(int64_t row_group, int column, const Status& status) const {
  Status located = status.WithContext(Where(row_group, column));
  if (status.code() != StatusCode::kInvalid) return located;
  return {StatusCode::kInvalid,
          located.message() + HintAtBytes(columns_[column], columns_)};
}

}  // namespace rowfeed
