// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/validate_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/filter/expression/row_filter.h"
#include "core/plan/mixture.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/settled.h"

namespace rowfeed {
namespace {

// Returns the type of a column as error messages show it: dtype, lists, shape and unit.
std::string TypeOf(const Column& column) {
  std::string type = DTypeName(column.dtype);
  for (int level = 0; level < column.ragged_rank; ++level) {
    type.insert(0, "list of ");
  }
  if (!column.dense_shape.empty()) {
    const char* separator = " [";
    for (const int64_t length : column.dense_shape) {
      type.append(separator).append(std::to_string(length));
      separator = ", ";
    }
    type.append("]");
  }
  if (!column.unit.empty()) type.append(" (").append(column.unit).append(")");
  return type;
}

// Whether parts of two sources' layouts have the same kind and size in a batch.
bool IsSamePart(const Part& a, const Part& b) {
  return a.kind == b.kind && a.is_variable == b.is_variable &&
         a.unit_bytes == b.unit_bytes && a.moment == b.moment &&
         a.first_member == b.first_member && a.num_members == b.num_members &&
         a.member_step == b.member_step;
}

// Checks that rows of two sources of a mixture fit into the same batch. `first` is the
// layout of source 0, `other` that of source number `source`, which errors name.
Status CompareLayouts(const BatchLayout& first, const BatchLayout& other,
                      size_t source) {
  const size_t num_outputs = std::min(first.outputs.size(), other.outputs.size());
  for (size_t i = 0; i < num_outputs; ++i) {
    const Column& a = first.outputs[i].column;
    const Column& b = other.outputs[i].column;
    if (TypeOf(a) == TypeOf(b)) continue;
    return Status::Invalid(
        "column '", b.name, "' of source ", source, " is ", TypeOf(b), ", but '",
        a.name, "' of source 0 is ", TypeOf(a),
        ": make them the same with Column(name, dtype=..., unit=..., pad=...)");
  }
  const bool same = first.outputs.size() == other.outputs.size() &&
                    first.first_parts == other.first_parts &&
                    std::equal(first.parts.begin(), first.parts.end(),
                               other.parts.begin(), other.parts.end(), IsSamePart);
  if (same) return {};
  return Status::Invalid("source ", source, " and source 0 differ in masks or stacks, ",
                         "in columns such as __step, or in how many columns they have");
}

}  // namespace

Status ValidateSource(const StreamOptions& options, const Catalog& catalog) {
  ROWFEED_RETURN_NOT_OK(options.order.Validate());
  for (const ColumnSpec& spec : options.columns) {
    ROWFEED_RETURN_NOT_OK(ValidateColumnSpec(spec, catalog));
  }
  ROWFEED_RETURN_NOT_OK(CheckSettled(options.columns, catalog));
  if (!options.filter.empty()) {
    ROWFEED_ASSIGN_OR_RETURN(const auto made, RowFilter::Make(options.filter, catalog));
    ROWFEED_RETURN_NOT_OK(
        CheckFilterSettled(made->columns(), made->options(), options.columns, catalog));
  }
  return LayOutBatches(options.columns, catalog).status();
}

Status ValidateMixture(const MixtureOptions& mixture, const Catalogs& catalogs) {
  const std::vector<StreamOptions>& sources = mixture.sources;
  const std::vector<MixtureOptions::Weights>& weights = mixture.weights;
  if (catalogs.size() != sources.size() || sources.empty()) {
    return Status::Invalid("a mixture of ", sources.size(), " sources with ",
                           catalogs.size(), " catalogs");
  }
  if (weights.empty() || weights[0].first_epoch != 0) {
    return Status::Invalid("the weights of a mixture must begin with epoch 0");
  }
  for (const MixtureOptions::Weights& each : weights) {
    ROWFEED_RETURN_NOT_OK(RoundTable::Validate(each.rounds));
    if (each.rounds.size() != sources.size()) {
      return Status::Invalid(each.rounds.size(), " weights for ", sources.size(),
                             " sources");
    }
  }
  BatchLayout first;
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string name = std::string("source ").append(std::to_string(i));
    const StreamOptions& source = sources[i];
    if (source.mixture) return Status::Invalid(name, " is a mixture itself");
    if (source.growth)
      return Status::Invalid(name, " grows: refresh is for one data set");
    ROWFEED_RETURN_NOT_OK(ValidateSource(source, *catalogs[i]).WithContext(name));
    if (catalogs[i]->num_rows() == 0) return Status::Invalid(name, " has no rows");
    if (source.order.num_lanes != sources[0].order.num_lanes) {
      return Status::Invalid("num_lanes is ", source.order.num_lanes, " in ", name,
                             ", but ", sources[0].order.num_lanes, " in source 0");
    }
    ROWFEED_ASSIGN_OR_RETURN(BatchLayout layout,
                             LayOutBatches(source.columns, *catalogs[i]));
    if (i > 0) ROWFEED_RETURN_NOT_OK(CompareLayouts(first, layout, i));
    if (i == 0) first = std::move(layout);
  }
  return {};
}

}  // namespace rowfeed
