// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/feature.h"

#include <algorithm>
#include <cstdint>

namespace rowfeed {

Feature FindFeature(const Catalog& catalog, const std::string& name) {
  const bool is_column =
      std::any_of(catalog.columns().begin(), catalog.columns().end(),
                  [&](const Column& column) { return column.name == name; });
  Feature feature;
  feature.column = name;
  if (!is_column) feature.provenance = ProvenanceNamed(name);
  return feature;
}

Result<FeatureSource> ResolveFeature(const Feature& feature, const Catalog& catalog) {
  if (feature.provenance) {
    return FeatureSource{ProvenanceColumn(*feature.provenance), std::nullopt};
  }
  ROWFEED_ASSIGN_OR_RETURN(const int index, catalog.ColumnIndex(feature.column));
  return FeatureSource{catalog.columns()[index], index};
}

Status ValidateFeature(const Feature& feature, const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const FeatureSource source,
                           ResolveFeature(feature, catalog));
  if (!feature.fill) return {};
  const Column& column = source.column;
  if (!source.index) {
    return Status::Invalid("column '", column.name, "' says where rows come from and ",
                           "has no nulls: it takes no fill");
  }
  const auto size = static_cast<int64_t>(feature.fill->size());
  if (!column.is_bytes() && size != ElementSize(column.dtype)) {
    return Status::Invalid("column '", column.name, "': a fill of ", size,
                           " bytes for elements of type ", DTypeName(column.dtype));
  }
  return {};
}

}  // namespace rowfeed
