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

// Builds a Catalog, file by file in the order of its list.
class CatalogBuilder {
 public:
  // `columns` have the types of the first file that has them.
  explicit CatalogBuilder(std::vector<Column> columns);

  // Adds a file. `layout` has all columns. `chunks` has all columns of the first row
  // group, then of the next, and so on. For a selection `indices` has the number of
  // each row group within the file; nullptr: these are all of the file.
  void AddFile(CatalogFile file, const FileLayout& layout,
               const std::vector<int64_t>& group_rows,
               const std::vector<ColumnChunk>& chunks,
               const std::vector<int32_t>* indices = nullptr);

  // Makes a column unsupported. If this is called more than once, the first reason is
  // kept.
  void Refuse(size_t column, std::string reason);

  std::shared_ptr<const Catalog> Finish() &&;

 private:
  int32_t FindOrAddLayout(const FileLayout& layout);

  std::shared_ptr<Catalog> catalog_;
  std::shared_ptr<std::vector<int64_t>> group_rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CATALOG_BUILDER_H_
