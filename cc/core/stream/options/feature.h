// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_FEATURE_H_
#define ROWFEED_CORE_STREAM_OPTIONS_FEATURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/column.h"
#include "core/catalog/provenance.h"
#include "core/decode/chunk/mask.h"
#include "core/decode/chunk/padding.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/fields.h"
#include "core/status.h"

namespace rowfeed {

// Neighbouring features that are one tensor, [batch, features].
struct Stack {
  std::string name;
  // Whether the values of a row lie side by side; else those of a feature do.
  bool by_rows = true;

  static constexpr auto Fields() {
    return std::tuple(Field{"name", &Stack::name}, Field{"by_rows", &Stack::by_rows});
  }
  bool operator==(const Stack& other) const {
    return name == other.name && by_rows == other.by_rows;
  }
};

// A column asked for, and what is made of it.
struct Feature {
  std::string column;
  // Bytes of one element as batches hold it, or any bytes for strings and binaries;
  // nullopt: a null is an error, unless there is a mask.
  std::optional<std::string> fill = std::nullopt;
  // Whether a second tensor says which elements, or rows, are no nulls.
  Mask mask = Mask::kNone;
  std::optional<Padding> padding = std::nullopt;
  // Of every row, where the lists of the file are of any length but in truth of one: a
  // row of another is an error. Empty: as in the file.
  std::vector<int64_t> shape = {};
  // Not read from the catalog's column but computed. Decided once, by FindFeature: a
  // process that opens the data again may see other columns of it.
  std::optional<Provenance> provenance = std::nullopt;
  // Of the elements as batches hold them: a type of numbers, or of strings and binaries
  // one of these two; nullopt: as the column.
  std::optional<DType> dtype = std::nullopt;
  // Of strings and binaries that become integers, of `dtype` or int64.
  StringEncoding encoding = {};
  // Of timestamps, times of day and durations: "s", "ms", "us" or "ns"; empty: that of
  // the column.
  std::string unit = {};
  std::optional<Stack> stack = std::nullopt;  // that it is in

  static constexpr auto Fields() {
    return std::tuple(
        Field{"column", &Feature::column}, Field{"fill", &Feature::fill},
        Field{"mask", &Feature::mask}, Field{"padding", &Feature::padding},
        Field{"shape", &Feature::shape}, Field{"provenance", &Feature::provenance},
        Field{"dtype", &Feature::dtype}, Field{"encoding", &Feature::encoding},
        Field{"unit", &Feature::unit}, Field{"stack", &Feature::stack});
  }
};

// Where the values of a feature come from.
struct FeatureSource {
  Column column;  // as batches hold it
  Column stored;  // as it is read: the catalog's, but for what Feature::shape says
  std::optional<int> index;  // among the catalog's columns; nullopt: computed
  // The same as `stored` in files that have another type, by Catalog::layout_index.
  std::unordered_map<int32_t, Column> others = {};

  const Column& stored_in(int32_t layout) const {
    const auto found = others.empty() ? others.end() : others.find(layout);
    return found == others.end() ? stored : found->second;
  }
};

// The feature that `name` asks for: a column of the catalog comes first, then where
// rows lie. If it is neither, ResolveFeature says so.
Feature FindFeature(const Catalog& catalog, const std::string& name);

// Its source, or an error as of Catalog::ColumnIndex.
Result<FeatureSource> ResolveFeature(const Feature& feature, const Catalog& catalog);

// Whether there is such a column, it can become what is asked for and have this fill.
// Says nothing of files that have another column of that name: see CheckSettled.
Status ValidateFeature(const Feature& feature, const Catalog& catalog);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_FEATURE_H_
