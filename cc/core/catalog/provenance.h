// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PROVENANCE_H_
#define ROWFEED_CORE_CATALOG_PROVENANCE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/catalog/column.h"

namespace rowfeed {

// Where a row lies in the files, as columns that need not be read. A column of the
// files with such a name comes first: it is delivered as itself.
enum class Provenance : uint8_t {
  kFile,      // "__file", int32: index into Catalog::files()
  kRowGroup,  // "__row_group", int32: index within the file
  kRow,       // "__row", int64: index within the row group
};

// The one of this name, if there is.
std::optional<Provenance> ProvenanceNamed(std::string_view name);

// As batches hold it.
Column ProvenanceColumn(Provenance provenance);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PROVENANCE_H_
