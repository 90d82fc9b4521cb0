// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/provenance.h"

#include <array>
#include <cstddef>

namespace rowfeed {
namespace {

// The names of the columns, in the order of the enumerators.
constexpr std::array<std::string_view, 3> kNames = {"__file", "__row_group", "__row"};

}  // namespace

std::optional<Provenance> ProvenanceNamed(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<Provenance>(i);
  }
  return std::nullopt;
}

Column ProvenanceColumn(Provenance provenance) {
  Column column;
  column.name = kNames[static_cast<size_t>(provenance)];
  column.path = {column.name};
  column.dtype = provenance == Provenance::kRow ? DType::kInt64 : DType::kInt32;
  column.logical_type = DTypeName(column.dtype);
  return column;
}

}  // namespace rowfeed
