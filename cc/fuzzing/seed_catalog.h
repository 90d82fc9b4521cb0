// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_FUZZING_SEED_CATALOG_H_
#define ROWFEED_FUZZING_SEED_CATALOG_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"

namespace rowfeed::fuzzing {

// Returns the bytes of a Parquet file with one column of each kind of type.
std::string SeedFile();

// Returns the catalog of a directory with two such files, which are deleted again. It
// has the columns that `columns` names; nullopt: all.
std::shared_ptr<const Catalog> SeedCatalog(
    const std::optional<std::vector<std::string>>& columns = std::nullopt);

}  // namespace rowfeed::fuzzing

#endif  // ROWFEED_FUZZING_SEED_CATALOG_H_
