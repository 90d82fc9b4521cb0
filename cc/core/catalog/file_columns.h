// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_FILE_COLUMNS_H_
#define ROWFEED_CORE_CATALOG_FILE_COLUMNS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/catalog/schema/file_layout.h"
#include "core/catalog/schema/schema.h"

namespace rowfeed {

// How a file stores the columns of a data set. Files that store them in the same way
// share one object.
using SharedLayout = std::shared_ptr<const FileLayout>;

// A column that a file stores in a way that rowfeed cannot read.
struct Unreadable {
  size_t column;    // number of the column in the data set
  std::string why;  // reason, for the error message
};

// How one file has the columns of a data set. `leaves` and the layout's storage have
// one entry per column.
struct FileColumns {
  std::vector<SchemaColumn> leaves;  // the columns to read; leaf -1: nothing to read
  SharedLayout layout;
  // Columns that have the type of the data set, but are stored in a way that cannot be
  // read.
  std::vector<Unreadable> unreadable = {};
};

// Finds the columns of a data set in a file's schema, by name. Columns made from
// directories and unsupported columns get no leaf. A column that the file lacks, or has
// with another type, becomes a Difference.
FileColumns MatchColumns(const std::vector<Column>& columns,
                         const std::vector<SchemaColumn>& schema);

// Whether `name` is the name of the column, or of a field that the column lies in.
bool IsBelow(const Column& column, const std::string& name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_FILE_COLUMNS_H_
