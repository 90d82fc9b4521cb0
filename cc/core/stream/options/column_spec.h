// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SPEC_H_
#define ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/schema/column.h"
#include "core/catalog/schema/provenance.h"
#include "core/decode/chunk/mask.h"
#include "core/decode/chunk/padding.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/export.h"
#include "core/fields.h"
#include "core/status.h"

namespace rowfeed {

// Neighbouring columns that become one tensor of shape [batch, columns].
struct Stack {
  std::string name;
  // Whether the values of one row lie side by side in memory; otherwise those of one
  // column do.
  bool by_rows = true;

  static constexpr auto Fields() {
    return std::tuple(Field{"name", &Stack::name}, Field{"by_rows", &Stack::by_rows});
  }
  bool operator==(const Stack& other) const {
    return name == other.name && by_rows == other.by_rows;
  }
};

// A column that is asked for, and what batches hold of it.
struct ColumnSpec {
  std::string column;
  // Bytes that stand for a null: one element as batches hold it, or any bytes for
  // strings and binaries. nullopt: a null is an error, unless there is a mask.
  std::optional<std::string> fill = std::nullopt;
  // Whether a second tensor tells which elements, or rows, are not null.
  Mask mask = Mask::kNone;
  std::optional<Padding> padding = std::nullopt;
  // Shape of every row, if lists of the file may have any length but in truth have one.
  // A row of another shape is an error. Empty: the shape that the file promises.
  std::vector<int64_t> shape = {};
  // What is computed instead of reading a column of the catalog. FindColumnSpec decides
  // it once, because a process that opens the data again may see other columns.
  std::optional<Provenance> provenance = std::nullopt;
  // Type of the elements in batches: a type of numbers or, for strings and binaries,
  // kString or kBinary. nullopt: that of the column.
  std::optional<DType> dtype = std::nullopt;
  // How strings and binaries become integers, which are of type `dtype` or int64.
  StringEncoding encoding = {};
  // Unit of timestamps, times of day and durations: "s", "ms", "us" or "ns"; empty:
  // that of the column.
  std::string unit = {};
  std::optional<Stack> stack = std::nullopt;  // the stack that has this column

  static constexpr auto Fields() {
    return std::tuple(
        Field{"column", &ColumnSpec::column}, Field{"fill", &ColumnSpec::fill},
        Field{"mask", &ColumnSpec::mask}, Field{"padding", &ColumnSpec::padding},
        Field{"shape", &ColumnSpec::shape},
        Field{"provenance", &ColumnSpec::provenance},
        Field{"dtype", &ColumnSpec::dtype}, Field{"encoding", &ColumnSpec::encoding},
        Field{"unit", &ColumnSpec::unit}, Field{"stack", &ColumnSpec::stack});
  }
};

// Where the values of a column come from.
struct ResolvedColumn {
  Column column;  // the column as batches hold it
  Column stored;  // the catalog's column, with the shape of ColumnSpec::shape
  std::optional<int> index;  // index of the catalog's column; nullopt: computed
  // What `stored` is in files that have another type, by Catalog::layout_index.
  std::unordered_map<int32_t, Column> others = {};

  const Column& stored_in(int32_t layout) const {
    const auto found = others.empty() ? others.end() : others.find(layout);
    return found == others.end() ? stored : found->second;
  }
};

// Returns the spec of what `name` asks for: a column of the catalog or, if there is
// none, a Provenance. If it is neither, ResolveColumn returns an error.
ROWFEED_EXPORT ColumnSpec FindColumnSpec(const Catalog& catalog,
                                         const std::string& name);

// Returns where the column's values come from, or the error of Catalog::ColumnIndex.
ROWFEED_EXPORT Result<ResolvedColumn> ResolveColumn(const ColumnSpec& spec,
                                                    const Catalog& catalog);

// Checks that there is such a column, that it can become what is asked for, and that it
// can have this fill. CheckSettled checks files in which the column has another type.
ROWFEED_EXPORT Status ValidateColumnSpec(const ColumnSpec& spec,
                                         const Catalog& catalog);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SPEC_H_
