// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_CATALOG_BUILDER_H_
#define ROWFEED_CORE_CATALOG_CATALOG_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"

namespace rowfeed {

// Adds up a Catalog file by file, in order.
class CatalogBuilder {
 public:
  // `columns` as the first file that has them does.
  explicit CatalogBuilder(std::vector<Column> columns);

  // `layout` is of all columns. `chunks` is row group major.
  void AddFile(CatalogFile file, const FileLayout& layout,
               const std::vector<int64_t>& group_rows,
               const std::vector<ColumnChunk>& chunks);

  // Makes a column unsupported; the first reason stays.
  void Refuse(size_t column, std::string reason);

  std::shared_ptr<const Catalog> Finish() &&;

 private:
  int32_t FindOrAddLayout(const FileLayout& layout);

  std::shared_ptr<Catalog> catalog_;
  std::shared_ptr<std::vector<int64_t>> group_rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CATALOG_BUILDER_H_
