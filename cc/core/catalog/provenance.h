// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PROVENANCE_H_
#define ROWFEED_CORE_CATALOG_PROVENANCE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/catalog/column.h"

namespace rowfeed {

// Columns that say where a row lies in the files; they need not be read. If the files
// have a column of such a name, that column is delivered.
enum class Provenance : uint8_t {
  kFile,      // number of the row's file in Catalog::files()
  kRowGroup,  // number of its row group within the file
  kRow,       // number of the row within its row group
};

// Returns the provenance column of this name; nullopt if there is none.
std::optional<Provenance> ProvenanceNamed(std::string_view name);

// Describes a provenance column as batches hold it.
Column ProvenanceColumn(Provenance provenance);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PROVENANCE_H_
