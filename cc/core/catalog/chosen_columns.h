// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_CHOSEN_COLUMNS_H_
#define ROWFEED_CORE_CATALOG_CHOSEN_COLUMNS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "core/catalog/listing/listed_file.h"
#include "core/catalog/schema/column.h"
#include "core/catalog/schema/schema_column.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

using SchemaColumns = std::vector<SchemaColumn>;

std::vector<Column> ColumnsIn(const SchemaColumns& columns);

// Knows which columns each name stands for: the column of that name, or the columns
// below a struct. Different paths can have the same name once they are joined with
// dots.
class ColumnsBelow {
 public:
  explicit ColumnsBelow(const SchemaColumns& schema) {
    for (const SchemaColumn& column : schema) {
      std::string name;
      for (const std::string& field : column.column.path) {
        if (&field != &column.column.path.front()) name += '.';
        name += field;
        by_name_[name].push_back(&column);
      }
    }
  }

  // Returns the columns of a name in the order of the schema; empty if there are none.
  const std::vector<const SchemaColumn*>& of(const std::string& name) const {
    static const auto* const none = new std::vector<const SchemaColumn*>;
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? *none : found->second;
  }

 private:
  std::unordered_map<std::string, std::vector<const SchemaColumn*>> by_name_;
};

// Returns the columns that `names` stand for, each once, in the order of the names. The
// names are as in Catalog::Open. `schema` is that of the first file in `listed`.
// Columns that the first file lacks are looked for in the other files, with
// `num_threads` threads.
Result<SchemaColumns> SelectColumns(const SchemaColumns& schema,
                                    const std::vector<std::string>& names,
                                    const std::vector<ListedFile>& listed,
                                    int num_threads, const Cancelled& cancelled);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CHOSEN_COLUMNS_H_
