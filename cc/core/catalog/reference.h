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
#include "core/catalog/listed_file.h"
#include "core/catalog/opened_footer.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// What the columns of a data set are, and how its first file has them.
struct Reference {
  FileWithFooter first;
  std::vector<Column> columns;  // those asked for
  FileColumns of_first;         // these, in the first file
};

// Of columns that are known. May throw, as all that Parquet reads.
Result<Reference> MakeReference(FileWithFooter first, std::vector<Column> columns);

// `names` as `columns` of Catalog::Open: columns are what they are in the first file
// that has them. `listed`: the first file and all others, whose names may hold columns.
Result<Reference> MakeReference(FileWithFooter first,
                                const std::vector<ListedFile>& listed,
                                const std::optional<std::vector<std::string>>& names,
                                int num_threads, const Cancelled& cancelled);

// What a catalog keeps of one file.
struct FileFacts {
  CatalogFile file;
  SharedLayout layout;
  size_t num_stored =
      0;  // columns of the data set that the file can have problems with
  FileChunks content;
};

// What is wrong with a single column is among the problems of the content. May throw.
Result<FileFacts> ReadFacts(FileWithFooter file, const Reference& reference);

// The first problem of a column that is asked for; of any, if no column of the file can
// be read. `asked` is given the place of a column in the reference's.
Status CheckProblems(const FileFacts& facts, const Reference& reference,
                     const std::function<bool(size_t)>& asked);

// Puts files into a catalog in their order as they come in any other, so that what was
// read of thousands need not wait for the last. Add is thread-safe.
class FilesInOrder {
 public:
  explicit FilesInOrder(const Reference& reference);

  void Add(size_t index, FileFacts facts);
  // When all are added.
  std::shared_ptr<const Catalog> Finish() &&;

 private:
  std::mutex mutex_;
  std::map<size_t, FileFacts> waiting_;  // for one before
  size_t next_ = 0;
  CatalogBuilder builder_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_REFERENCE_H_
