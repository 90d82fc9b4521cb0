// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_FILE_COLUMNS_H_
#define ROWFEED_CORE_CATALOG_FILE_COLUMNS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/column.h"
#include "core/catalog/file_layout.h"
#include "core/catalog/schema.h"

namespace rowfeed {

// How a file stores the columns of a data set: files that do alike share it.
using SharedLayout = std::shared_ptr<const FileLayout>;

struct Unreadable {
  size_t column;
  std::string why;
};

// The columns of a data set in one file. The first two have one entry for each of them.
struct FileColumns {
  std::vector<SchemaColumn> leaves;  // to read chunks of; without a leaf: none
  SharedLayout layout;
  // Columns of the type that the data set has, stored in a way that cannot be read.
  std::vector<Unreadable> unreadable = {};
};

// Finds the columns by their names. Columns of directories, and those that nobody can
// read, have no leaf; what the file lacks or has otherwise is a Difference.
FileColumns MatchColumns(const std::vector<Column>& columns,
                         const std::vector<SchemaColumn>& schema);

// Whether `name` is the column or a field above it.
bool IsBelow(const Column& column, const std::string& name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_FILE_COLUMNS_H_
