// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_OPENED_FOOTER_H_
#define ROWFEED_CORE_CATALOG_OPENED_FOOTER_H_

#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/listing/listed_file.h"
#include "core/catalog/schema/refused_leaves.h"
#include "core/catalog/schema/schema_column.h"
#include "core/io/random_access_file.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// A listed file, and its footer as Arrow's Parquet library parsed it.
struct FileWithFooter {
  CatalogFile file;
  std::shared_ptr<parquet::FileMetaData> metadata;
  RefusedTypes refused;
};

// Opens a listed file and reads its footer. The file is closed again before anything
// else of it is read. `listed` is taken by value so that its names can be moved into
// the catalog: copies made here would lie between the memory of footers, and each would
// keep a page of it from being freed.
Result<FileWithFooter> OpenFooter(ListedFile listed, const Cancelled& cancelled = {});

// Returns the number of threads that open files. Remote files get more than
// `num_threads`, as requests spend most of their time waiting.
int FooterThreads(const std::vector<ListedFile>& listed, int num_threads);

// Reads the schema of the file, as ReadSchema does. An error names the path.
Result<std::vector<SchemaColumn>> ReadSchemaOf(const FileWithFooter& file);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_OPENED_FOOTER_H_
