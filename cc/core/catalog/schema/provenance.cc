// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/provenance.h"

namespace rowfeed {

Column ProvenanceColumn(Provenance provenance) {
  Column column;
  column.name = NameOf(provenance);
  column.path = {column.name};
  column.dtype = provenance == Provenance::kRow ? DType::kInt64 : DType::kInt32;
  column.logical_type = DTypeName(column.dtype);
  return column;
}

}  // namespace rowfeed
