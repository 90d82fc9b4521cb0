// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/provenance.h"

namespace rowfeed {

Column ProvenanceColumn(Provenance provenance) {
  Column column;
  column.name = NameOf(provenance);
  column.path = {column.name};
  const bool is_small =
      provenance == Provenance::kFile || provenance == Provenance::kRowGroup;
  column.dtype = is_small ? DType::kInt32 : DType::kInt64;
  column.logical_type = DTypeName(column.dtype);
  return column;
}

}  // namespace rowfeed
