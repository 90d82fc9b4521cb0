// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/catalog_builder.h"

namespace rowfeed {

Result<std::shared_ptr<const Catalog>> Catalog::Select(
    std::shared_ptr<const Catalog> catalog, std::vector<int64_t> row_groups) {
  std::sort(row_groups.begin(), row_groups.end());
  row_groups.erase(std::unique(row_groups.begin(), row_groups.end()), row_groups.end());
  const auto num_groups = std::ssize(catalog->row_groups_);
  if (row_groups.empty()) return Status::Invalid("no row group is selected");
  if (row_groups.front() < 0 || row_groups.back() >= num_groups) {
    const int64_t wrong =
        row_groups.front() < 0 ? row_groups.front() : row_groups.back();
    return Status::Invalid("row group ", wrong, " is selected, but the data have ",
                           num_groups);
  }
  if (std::ssize(row_groups) == num_groups) return catalog;
  CatalogBuilder builder(catalog->columns_);
  const auto num_columns = std::ssize(catalog->columns_);
  for (auto begin = row_groups.begin(); begin != row_groups.end();) {
    const int32_t file = catalog->row_groups_[*begin].file;
    const auto end = std::find_if(begin, row_groups.end(), [&](int64_t group) {
      return catalog->row_groups_[group].file != file;
    });
    std::vector<int64_t> rows;
    std::vector<int32_t> indices;
    std::vector<ColumnChunk> chunks;
    for (; begin != end; ++begin) {
      rows.push_back(catalog->row_groups_[*begin].rows);
      indices.push_back(catalog->row_groups_[*begin].index);
      const auto first = catalog->chunks_.begin() + *begin * num_columns;
      chunks.insert(chunks.end(), first, first + num_columns);
    }
    builder.AddFile(catalog->files_[file], catalog->layout(file), rows, chunks,
                    &indices);
  }
  return std::move(builder).Finish();
}

}  // namespace rowfeed
