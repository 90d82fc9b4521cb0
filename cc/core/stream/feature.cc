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
  FeatureSource source{catalog.columns()[index], index};
  if (feature.padding && source.column.ragged_rank == 1) {
    Column& column = source.column;
    column.ragged_rank = 0;
    const int64_t length = feature.padding->length;
    column.list_sizes.insert(column.list_sizes.begin(), length);
    column.dense_shape.insert(column.dense_shape.begin(), length);
  }
  return source;
}

namespace {

Status ValidatePadding(const Feature& feature, const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const int index, catalog.ColumnIndex(feature.column));
  const Column& column = catalog.columns()[index];
  if (column.is_bytes() || column.ragged_rank != 1) {
    return Status::Invalid("column '", column.name, "' (", column.logical_type,
                           ") cannot be padded: lists of numbers can, that are not in ",
                           "other lists");
  }
  const Padding& padding = *feature.padding;
  if (padding.length < 1 || padding.length > INT32_MAX / column.num_elements()) {
    return Status::Invalid("column '", column.name, "': padded to ", padding.length,
                           " elements; at least 1, at most ",
                           INT32_MAX / column.num_elements());
  }
  const auto size = static_cast<int64_t>(padding.value.size());
  if (size != ElementSize(column.dtype)) {
    return Status::Invalid("column '", column.name, "': padded with ", size,
                           " bytes for elements of type ", DTypeName(column.dtype));
  }
  return {};
}

}  // namespace

Status ValidateFeature(const Feature& feature, const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const FeatureSource source,
                           ResolveFeature(feature, catalog));
  const Column& column = source.column;
  const bool has_specs = feature.fill || feature.with_mask || feature.padding;
  if (!source.index && has_specs) {
    return Status::Invalid("column '", column.name, "' says where rows come from and ",
                           "has no nulls or lists: it takes no fill, mask or padding");
  }
  if (feature.padding) ROWFEED_RETURN_NOT_OK(ValidatePadding(feature, catalog));
  if (!feature.fill) return {};
  const auto size = static_cast<int64_t>(feature.fill->size());
  if (!column.is_bytes() && size != ElementSize(column.dtype)) {
    return Status::Invalid("column '", column.name, "': a fill of ", size,
                           " bytes for elements of type ", DTypeName(column.dtype));
  }
  return {};
}

}  // namespace rowfeed
