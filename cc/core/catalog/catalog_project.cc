// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/catalog_builder.h"
#include "core/catalog/chosen_columns.h"

namespace rowfeed {
namespace {

// Returns the layout of some columns. `kept` has the number of each of them.
FileLayout Projected(const FileLayout& layout, const std::vector<int>& kept) {
  FileLayout projected;
  for (size_t i = 0; i < kept.size(); ++i) {
    projected.storage.push_back(layout.storage[kept[i]]);
    const Difference* difference = layout.Find(kept[i]);
    if (difference == nullptr) continue;
    projected.differences.push_back(*difference);
    projected.differences.back().column = static_cast<int32_t>(i);
  }
  projected.differences.shrink_to_fit();
  return projected;
}

}  // namespace

Result<std::shared_ptr<const Catalog>> Catalog::Project(
    std::shared_ptr<const Catalog> catalog, const std::vector<std::string>& names) {
  SchemaColumns all;
  for (const Column& column : catalog->columns_) all.push_back({column});
  ROWFEED_ASSIGN_OR_RETURN(
      const SchemaColumns chosen,
      SelectColumns(all, names, /*listed=*/{}, /*num_threads=*/1, /*cancelled=*/{}));
  std::vector<int> kept;
  for (const SchemaColumn& column : chosen) {
    kept.push_back(catalog->by_name_.at(column.column.name));
  }
  std::vector<int> in_order(catalog->columns_.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  if (kept == in_order) return catalog;

  std::vector<FileLayout> layouts;
  for (const FileLayout& layout : catalog->layouts_) {
    layouts.push_back(Projected(layout, kept));
  }
  CatalogBuilder builder(ColumnsIn(chosen));
  int64_t group = 0;
  const auto num_groups = static_cast<int64_t>(catalog->row_groups_.size());
  for (size_t file = 0; file < catalog->files_.size(); ++file) {
    std::vector<int64_t> rows;
    std::vector<int32_t> indices;
    std::vector<ColumnChunk> chunks;
    for (; group < num_groups &&
           catalog->row_groups_[group].file == static_cast<int32_t>(file);
         ++group) {
      rows.push_back(catalog->row_groups_[group].rows);
      indices.push_back(catalog->row_groups_[group].index);
      for (const int column : kept) chunks.push_back(catalog->chunk(group, column));
    }
    builder.AddFile(catalog->files_[file], layouts[catalog->file_layouts_[file]], rows,
                    chunks, catalog->is_selection_ ? &indices : nullptr);
  }
  return std::move(builder).Finish();
}

}  // namespace rowfeed
