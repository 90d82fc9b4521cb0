// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/feature.h"

#include <algorithm>
#include <cstdint>

#include "core/decode/conversion.h"

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

namespace {

// Sizes of rows are computed from the length before anything else is checked.
Status CheckLength(const Column& column, const Padding& padding) {
  const int64_t most = INT32_MAX / column.num_elements();
  if (padding.length >= 1 && padding.length <= most) return {};
  return Status::Invalid("column '", column.name, "': padded to ", padding.length,
                         " elements; at least 1, at most ", most);
}

}  // namespace

Result<FeatureSource> ResolveFeature(const Feature& feature, const Catalog& catalog) {
  if (feature.provenance) {
    return FeatureSource{ProvenanceColumn(*feature.provenance), std::nullopt};
  }
  ROWFEED_ASSIGN_OR_RETURN(const int index, catalog.ColumnIndex(feature.column));
  FeatureSource source{catalog.columns()[index], index};
  Column& column = source.column;
  if (!feature.unit.empty() && feature.unit != column.unit) {
    column.unit = feature.unit;
    column.dtype = DType::kInt64;
  }
  if (feature.encoding.is_set()) column.dtype = DType::kInt64;
  if (feature.dtype) column.dtype = *feature.dtype;
  if (feature.padding && column.ragged_rank == 1) {
    ROWFEED_RETURN_NOT_OK(CheckLength(column, *feature.padding));
    column.ragged_rank = 0;
    const int64_t length = feature.padding->length;
    column.list_sizes.insert(column.list_sizes.begin(), length);
    column.dense_shape.insert(column.dense_shape.begin(), length);
  }
  return source;
}

namespace {

Status CheckConversion(const Column& source, const Column& wanted,
                       const StringEncoding& encoding) {
  return MakeConversion(source, source.storage, wanted, encoding)
      .status()
      .WithContext("column '" + source.name + "'");
}

Status CheckPadding(const Column& source, const Column& wanted,
                    const Padding& padding) {
  if (wanted.is_bytes() || source.ragged_rank != 1) {
    return Status::Invalid("column '", source.name, "' (", source.logical_type,
                           ") cannot be padded: lists of numbers can, that are not in ",
                           "other lists");
  }
  const auto size = static_cast<int64_t>(padding.value.size());
  if (size != ElementSize(wanted.dtype)) {
    return Status::Invalid("column '", source.name, "': padded with ", size,
                           " bytes for elements of type ", DTypeName(wanted.dtype));
  }
  return {};
}

}  // namespace

Status ValidateFeature(const Feature& feature, const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const FeatureSource source,
                           ResolveFeature(feature, catalog));
  const Column& column = source.column;
  if (source.index) {
    const Column& stored = catalog.columns()[*source.index];
    ROWFEED_RETURN_NOT_OK(CheckConversion(stored, column, feature.encoding));
    if (feature.padding) {
      ROWFEED_RETURN_NOT_OK(CheckPadding(stored, column, *feature.padding));
    }
  } else if (feature.fill || feature.with_mask || feature.padding || feature.dtype ||
             !feature.unit.empty() || feature.encoding.is_set()) {
    return Status::Invalid("column '", column.name, "' says where rows come from and ",
                           "has no nulls or lists: it takes a name only");
  }
  if (!feature.fill) return {};
  const auto size = static_cast<int64_t>(feature.fill->size());
  if (!column.is_bytes() && size != ElementSize(column.dtype)) {
    return Status::Invalid("column '", column.name, "': a fill of ", size,
                           " bytes for elements of type ", DTypeName(column.dtype));
  }
  return {};
}

}  // namespace rowfeed
