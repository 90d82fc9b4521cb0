// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_PROVENANCE_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_PROVENANCE_H_

#include <array>
#include <cstdint>

#include "core/catalog/schema/column.h"
#include "core/enum_table.h"

namespace rowfeed {

// Columns that say where a row lies in the files, or when it is delivered; they need
// not be read. If the files have a column of such a name, that column is delivered.
enum class Provenance : uint8_t {
  kFile,      // number of the row's file in Catalog::files()
  kRowGroup,  // number of its row group within the file
  kRow,       // number of the row within its row group
  kEpoch,     // number of the epoch that delivers the row
  kStep,      // number of the step in that epoch
};

template <>
struct EnumTable<Provenance> {
  static constexpr auto kWhat = "place of a row";
  static constexpr std::array kNames = {"__file", "__row_group", "__row", "__epoch",
                                        "__step"};
};

// Whether the column says when a row is delivered. Only batches of an epoch have it.
inline bool IsMoment(Provenance provenance) {
  return provenance == Provenance::kEpoch || provenance == Provenance::kStep;
}

// Describes a provenance column as batches hold it.
Column ProvenanceColumn(Provenance provenance);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_PROVENANCE_H_
