// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/column_spec.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/decode/blocks/row_shape.h"
#include "core/decode/values/make_conversion.h"

namespace rowfeed {

ColumnSpec FindColumnSpec(const Catalog& catalog, const std::string& name) {
  ColumnSpec spec;
  spec.column = name;
  if (!catalog.HasColumn(name)) {
    spec.provenance = EnumeratorNamed<Provenance>(name);
  }
  return spec;
}

namespace {

void SetShape(const Column& of, Column* column) {
  column->ragged_rank = of.ragged_rank;
  column->list_sizes = of.list_sizes;
  column->dense_shape = of.dense_shape;
}

// Returns what the column is read as in files that have another type. Types that cannot
// be read so are left out.
std::unordered_map<int32_t, Column> ReadElsewhere(const ColumnSpec& spec,
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
    if (!spec.shape.empty()) {
      Column made = column;
      made.dtype = wanted;
      const Result<Column> shaped = WithShape(made, spec.shape);
      if (!shaped.ok()) continue;
      SetShape(*shaped, &column);
    }
    others.emplace(static_cast<int32_t>(i), std::move(column));
  }
  return others;
}

}  // namespace

Result<ResolvedColumn> ResolveColumn(const ColumnSpec& spec, const Catalog& catalog) {
  if (spec.provenance) {
    const Column column = ProvenanceColumn(*spec.provenance);
    return ResolvedColumn{column, column, std::nullopt};
  }
  ROWFEED_ASSIGN_OR_RETURN(const int index, catalog.ColumnIndex(spec.column));
  const Column& found = catalog.columns()[index];
  ResolvedColumn source{found, found, index};
  Column& column = source.column;
  if (!spec.unit.empty()) {
    column.unit = spec.unit;
    column.dtype = DType::kInt64;
  }
  if (spec.encoding.is_set()) column.dtype = DType::kInt64;
  if (spec.dtype) column.dtype = *spec.dtype;
  if (!spec.shape.empty()) {
    ROWFEED_ASSIGN_OR_RETURN(column, WithShape(column, spec.shape));
    SetShape(column, &source.stored);
  }
  if (spec.padding) {
    ROWFEED_ASSIGN_OR_RETURN(column, WithPadding(column, *spec.padding));
  }
  source.others = ReadElsewhere(spec, catalog, index, column.dtype);
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

Status ValidateColumnSpec(const ColumnSpec& spec, const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const ResolvedColumn source, ResolveColumn(spec, catalog));
  const Column& column = source.column;
  if (source.index) {
    ROWFEED_RETURN_NOT_OK(CheckConversion(source.stored, column, spec.encoding));
    if (spec.padding) ROWFEED_RETURN_NOT_OK(CheckPadding(column, *spec.padding));
  } else if (spec.fill || spec.mask != Mask::kNone || spec.padding ||
             !spec.shape.empty() || spec.dtype || !spec.unit.empty() ||
             spec.encoding.is_set()) {
    return Status::Invalid("column '", column.name, "' says where rows come from and ",
                           "has no nulls or lists: it takes a name only");
  }
  if (!spec.fill || ArePaddedBytes(source.stored, column)) return {};
  const auto size = static_cast<int64_t>(spec.fill->size());
  if (!column.is_bytes() && size != ElementSize(column.dtype)) {
    return Status::Invalid("column '", column.name, "': a fill of ", size,
                           " bytes for elements of type ", DTypeName(column.dtype));
  }
  return {};
}

}  // namespace rowfeed
