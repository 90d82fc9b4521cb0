// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

// Checks that the values of `column` fit it and the dtype that the user asks for, in
// all files. Files with equal partitions have equal values, so only the first of them
// is checked.
Status CheckFits(const Column& column, DType asked,
                 const std::vector<CatalogFile>& files) {
  std::unordered_set<std::string_view> seen;
  for (const CatalogFile& file : files) {
    if (!seen.insert(file.partitions).second) continue;
    Status status = PartitionFits(column, file.partitions, asked);
    if (!status.ok()) return status.WithContext(ShownPath(file.path));
  }
  return {};
}

}  // namespace

PartitionTypes Catalog::partition_types() const {
  PartitionTypes types;
  for (const Column& column : columns_) {
    if (!column.is_partition) continue;
    types[column.name] = {column.dtype, column.is_type_given};
  }
  return types;
}

Result<std::shared_ptr<const Catalog>> Catalog::WithPartitionTypes(
    std::shared_ptr<const Catalog> catalog, const PartitionTypes& types) {
  std::shared_ptr<Catalog> made;
  for (size_t i = 0; i < catalog->columns_.size(); ++i) {
    const Column& column = catalog->columns_[i];
    const auto wanted = types.find(column.name);
    if (!column.is_partition || wanted == types.end()) continue;
    Column changed = PartitionColumn(
        column.name, {PartitionDType(wanted->second.dtype), wanted->second.is_given});
    const bool is_same =
        changed.dtype == column.dtype && changed.is_type_given == column.is_type_given;
    if (is_same && wanted->second.dtype == column.dtype) continue;
    ROWFEED_RETURN_NOT_OK(CheckFits(changed, wanted->second.dtype, catalog->files_));
    if (is_same) continue;
    if (!made) made.reset(new Catalog(*catalog));
    for (auto& layout : made->layouts_) layout.storage[i] = changed.storage;
    made->columns_[i] = std::move(changed);
  }
  if (!made) return catalog;
  made->IndexNames();
  return std::shared_ptr<const Catalog>(std::move(made));
}

}  // namespace rowfeed
