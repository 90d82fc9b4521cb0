// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/listing/data_paths.h"
#include "core/io/uri.h"

namespace rowfeed {

Status Catalog::CheckFilesAreIn(const std::vector<std::string>& paths) const {
  DataPaths allowed(paths);
  for (const CatalogFile& file : files_) {
    if (allowed.Have(file.path)) continue;
    std::string shown;
    for (const std::string& path : paths) {
      shown.append(shown.empty() ? "" : ", ").append(ShownPath(path));
    }
    return Status::Invalid("the catalog names ", ShownPath(file.path),
                           ", which is not in the paths of the data: ", shown);
  }
  return {};
}

}  // namespace rowfeed
