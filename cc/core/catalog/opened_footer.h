// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_OPENED_FOOTER_H_
#define ROWFEED_CORE_CATALOG_OPENED_FOOTER_H_

#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/listed_file.h"
#include "core/catalog/schema_column.h"
#include "core/io/random_access_file.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// A file of a listing, and its footer as Parquet reads it.
struct FileWithFooter {
  CatalogFile file;
  std::shared_ptr<parquet::FileMetaData> metadata;
};

// The descriptor is closed again before anything else of the file is looked at. Names
// that are moved in end up in the catalog: were they copied here, each would keep a
// page of what the footers took before they were freed.
Result<FileWithFooter> OpenFooter(ListedFile listed, const Cancelled& cancelled = {});

// How many threads open files: more than work if they are remote, as requests wait for
// most of their time.
int FooterThreads(const std::vector<ListedFile>& listed, int num_threads);

// The schema of the file, as of ReadSchema. An error names the path.
Result<std::vector<SchemaColumn>> ReadSchemaOf(const FileWithFooter& file);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_OPENED_FOOTER_H_
