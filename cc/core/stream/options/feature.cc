// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/feature.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/decode/blocks/row_shape.h"
#include "core/decode/values/make_conversion.h"

namespace rowfeed {

Feature FindFeature(const Catalog& catalog, const std::string& name) {
  Feature feature;
  feature.column = name;
  if (!catalog.HasColumn(name)) {
    feature.provenance = EnumeratorNamed<Provenance>(name);
  }
  return feature;
}

namespace {

void SetShape(const Column& of, Column* column) {
  column->ragged_rank = of.ragged_rank;
  column->list_sizes = of.list_sizes;
  column->dense_shape = of.dense_shape;
}

// Returns what the column is read as in files that have another type. Types that cannot
// be read so are left out.
std::unordered_map<int32_t, Column> ReadElsewhere(const Feature& feature,
                                                  const Catalog& catalog, int index,
                                                  DType wanted) {
  std::unordered_map<int32_t, Column> others;
  for (size_t i = 0; i < catalog.layouts().size(); ++i) {
    const Difference* difference = catalog.layouts()[i].Find(index);
    if (difference == nullptr || difference->is_null() ||
        !difference->as_stored.unsupported.empty()) {
      continue;
    }
    Column column = difference->as_stored;
    if (!feature.shape.empty()) {
      Column made = column;
      made.dtype = wanted;
      const Result<Column> shaped = WithShape(made, feature.shape);
      if (!shaped.ok()) continue;
      SetShape(*shaped, &column);
    }
    others.emplace(static_cast<int32_t>(i), std::move(column));
  }
  return others;
}

}  // namespace

Result<FeatureSource> ResolveFeature(const Feature& feature, const Catalog& catalog) {
  if (feature.provenance) {
    const Column column = ProvenanceColumn(*feature.provenance);
    return FeatureSource{column, column, std::nullopt};
  }
  ROWFEED_ASSIGN_OR_RETURN(const int index, catalog.ColumnIndex(feature.column));
  const Column& found = catalog.columns()[index];
  FeatureSource source{found, found, index};
  Column& column = source.column;
  if (!feature.unit.empty()) {
    column.unit = feature.unit;
    column.dtype = DType::kInt64;
  }
  if (feature.encoding.is_set()) column.dtype = DType::kInt64;
  if (feature.dtype) column.dtype = *feature.dtype;
  if (!feature.shape.empty()) {
    ROWFEED_ASSIGN_OR_RETURN(column, WithShape(column, feature.shape));
    SetShape(column, &source.stored);
  }
  if (feature.padding) {
    ROWFEED_ASSIGN_OR_RETURN(column, WithPadding(column, *feature.padding));
  }
  source.others = ReadElsewhere(feature, catalog, index, column.dtype);
  return source;
}

namespace {

Status CheckConversion(const Column& source, const Column& wanted,
                       const StringEncoding& encoding) {
  return MakeConversion(source, source.storage, wanted, encoding)
      .status()
      .WithContext("column '" + source.name + "'");
}

Status CheckPadding(const Column& wanted, const Padding& padding) {
  const auto size = static_cast<int64_t>(padding.value.size());
  if (size == ElementSize(wanted.dtype)) return {};
  return Status::Invalid("column '", wanted.name, "': padded with ", size,
                         " bytes for elements of type ", DTypeName(wanted.dtype));
}

}  // namespace

Status ValidateFeature(const Feature& feature, const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const FeatureSource source,
                           ResolveFeature(feature, catalog));
  const Column& column = source.column;
  if (source.index) {
    ROWFEED_RETURN_NOT_OK(CheckConversion(source.stored, column, feature.encoding));
    if (feature.padding) ROWFEED_RETURN_NOT_OK(CheckPadding(column, *feature.padding));
  } else if (feature.fill || feature.mask != Mask::kNone || feature.padding ||
             !feature.shape.empty() || feature.dtype || !feature.unit.empty() ||
             feature.encoding.is_set()) {
    return Status::Invalid("column '", column.name, "' says where rows come from and ",
                           "has no nulls or lists: it takes a name only");
  }
  if (!feature.fill || ArePaddedBytes(source.stored, column)) return {};
  const auto size = static_cast<int64_t>(feature.fill->size());
  if (!column.is_bytes() && size != ElementSize(column.dtype)) {
    return Status::Invalid("column '", column.name, "': a fill of ", size,
                           " bytes for elements of type ", DTypeName(column.dtype));
  }
  return {};
}

}  // namespace rowfeed
