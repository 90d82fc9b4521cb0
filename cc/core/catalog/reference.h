// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_REFERENCE_H_
#define ROWFEED_CORE_CATALOG_REFERENCE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/catalog_builder.h"
#include "core/catalog/chunks.h"
#include "core/catalog/file_columns.h"
#include "core/catalog/listing/listed_file.h"
#include "core/catalog/listing/notices.h"
#include "core/catalog/opened_footer.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// The columns of a data set, and how its first file has them.
struct Reference {
  FileWithFooter first;
  std::vector<Column> columns;  // the columns that were asked for
  FileColumns of_first;         // how the first file has these columns
  // Whether nobody named columns, so that they are those of the first file.
  bool is_of_first = false;
};

// Makes the reference for columns that are known. May throw, as all code that calls
// Arrow's Parquet library may.
Result<Reference> MakeReference(FileWithFooter first, std::vector<Column> columns);

// Makes the reference for the columns in `names`, which are as in Catalog::Open. A
// column has the type that it has in the first file that has it. `listed` is all files,
// the first one included, as their directories may hold columns.
Result<Reference> MakeReference(FileWithFooter first,
                                const std::vector<ListedFile>& listed,
                                const std::optional<std::vector<std::string>>& names,
                                int num_threads, const Cancelled& cancelled);

// What a catalog keeps about one file.
struct FileFacts {
  CatalogFile file;
  SharedLayout layout;
  // Number of the data set's columns that the file stores, and so can have problems
  // with.
  size_t num_stored = 0;
  FileChunks content;
  // Names of columns that the file has and the data set leaves out, if nobody named
  // columns (Reference::is_of_first).
  std::vector<std::string> left_out = {};
};

// Reads what the catalog keeps about a file. An error of a single column becomes one of
// the problems of `content`. May throw.
Result<FileFacts> ReadFacts(FileWithFooter file, const Reference& reference);

// Returns the first problem of a column for which `asked` is true; or the first problem
// of any column, if no column of the file can be read. `asked` gets the number of a
// column in the reference.
Status CheckProblems(const FileFacts& facts, const Reference& reference,
                     const std::function<bool(size_t)>& asked);

// Builds a catalog from files that are added in any order: their order in the catalog
// is that of the list. What was read of thousands of files need not wait for the last
// of them. Add is thread-safe.
class FilesInOrder {
 public:
  explicit FilesInOrder(const Reference& reference);

  void Add(size_t index, FileFacts facts);
  // Returns the catalog. Call it once all files are added. `notices`, unless it is
  // nullptr, gets the columns that are left out.
  std::shared_ptr<const Catalog> Finish(Notices* notices) &&;

 private:
  std::mutex mutex_;
  std::map<size_t, FileFacts> waiting_;  // files that wait for an earlier one
  size_t next_ = 0;
  // For each column that is left out, the path of the first file that has it.
  std::map<std::string, std::string> left_out_;
  CatalogBuilder builder_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_REFERENCE_H_
