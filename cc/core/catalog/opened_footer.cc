// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/opened_footer.h"

#include <algorithm>
#include <utility>

#include "core/catalog/footer.h"
#include "core/catalog/schema/schema.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

constexpr int kRemoteFooterThreads = 24;

}  // namespace

Result<FileWithFooter> OpenFooter(ListedFile listed, const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(const auto file, OpenFile(listed.path, cancelled));
  ROWFEED_ASSIGN_OR_RETURN(Footer footer, ReadFooter(*file, cancelled));
  const FileVersion& version = file->version();
  return FileWithFooter{
      {std::move(listed.path), std::move(listed.name), std::move(listed.partitions),
       version.size, version.mtime_ns, version.etag, footer.digest},
      std::move(footer.metadata),
      std::move(footer.refused)};
}

int FooterThreads(const std::vector<ListedFile>& listed, int num_threads) {
  const bool is_remote =
      std::any_of(listed.begin(), listed.end(),
                  [](const ListedFile& file) { return IsUri(file.path); });
  return is_remote ? std::max(num_threads, kRemoteFooterThreads) : num_threads;
}

Result<std::vector<SchemaColumn>> ReadSchemaOf(const FileWithFooter& file) {
  Result<std::vector<SchemaColumn>> schema = ReadSchema(*file.metadata, file.refused);
  if (schema.ok()) return schema;
  return schema.status().WithContext(ShownPath(file.file.path) +
                                     ": the schema cannot be read");
}

}  // namespace rowfeed
