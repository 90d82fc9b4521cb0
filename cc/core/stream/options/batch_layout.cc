// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/batch_layout.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace rowfeed {
namespace {

class LayoutMaker {
 public:
  LayoutMaker(const std::vector<ColumnSpec>& columns, const Catalog& catalog)
      : asked_(columns), catalog_(catalog) {}

  Result<BatchLayout> Make() && {
    for (size_t i = 0; i < asked_.size(); ++i) {
      ROWFEED_ASSIGN_OR_RETURN(ResolvedColumn source,
                               ResolveColumn(asked_[i], catalog_));
      layout_.columns.push_back(std::move(source));
      AddParts(i);
      if (!asked_[i].stack) {
        AddOutputs(i);
      } else if (i + 1 == asked_.size() || asked_[i + 1].stack != asked_[i].stack) {
        ROWFEED_RETURN_NOT_OK(AddStack(i));
      }
    }
    layout_.first_parts.push_back(layout_.parts.size());
    AddStackParts();
    return std::move(layout_);
  }

 private:
  void AddParts(size_t spec) {
    layout_.first_parts.push_back(layout_.parts.size());
    for (const Part& part : PartsOf(layout_.columns[spec].column, asked_[spec].mask)) {
      layout_.parts.push_back(part);
    }
    const std::optional<Provenance> made = asked_[spec].provenance;
    if (!made || !IsMoment(*made)) return;
    layout_.parts.back().moment =
        *made == Provenance::kEpoch ? Part::Moment::kEpoch : Part::Moment::kStep;
  }

  void AddOutputs(size_t spec) {
    const Column& column = layout_.columns[spec].column;
    const size_t first = layout_.first_parts[spec];
    Output output{column, {}, first, 0};
    for (; layout_.parts[output.values].kind == Part::Kind::kLengths; ++output.values) {
      output.lengths.push_back(output.values);
    }
    layout_.outputs.push_back(output);
    if (asked_[spec].mask == Mask::kNone) return;
    Output mask{MaskOf(column, asked_[spec].mask), {}, output.values + 1, 0};
    for (int level = 1; level < mask.column.ragged_rank; ++level) {
      mask.lengths.push_back(first + level - 1);
    }
    layout_.outputs.push_back(mask);
  }

  // Adds the stack whose last member is column `last`.
  Status AddStack(size_t last) {
    size_t first = last;
    while (first > 0 && asked_[first - 1].stack == asked_[last].stack) --first;
    const Column& model = layout_.columns[first].column;
    for (size_t i = first; i <= last; ++i) {
      ROWFEED_RETURN_NOT_OK(CheckMember(i, model, asked_[first].mask));
    }
    const Stack& stack = *asked_[last].stack;
    const size_t size = last - first + 1;
    const size_t values = layout_.first_parts[first];
    // The parts of each member are its values and, if there is one, its mask.
    const Mask mask = asked_[first].mask;
    const size_t step = mask == Mask::kNone ? 1 : 2;
    Column of_stack = model;
    of_stack.name = stack.name;
    AddStackOutput(of_stack, stack.by_rows, values, size, step);
    if (mask == Mask::kNone) return {};
    AddStackOutput(MaskOf(of_stack, mask), stack.by_rows, values + 1, size, step);
    return {};
  }

  // Adds a tensor of `size` parts, which follow each other at a distance of `step`.
  void AddStackOutput(const Column& model, bool by_rows, size_t first_part, size_t size,
                      size_t step) {
    Output output{model, {}, first_part, 0};
    output.column.dense_shape = {static_cast<int64_t>(size)};
    if (by_rows) {
      Part part{Part::Kind::kStack, false, output.column.unit_bytes()};
      part.first_member = first_part;
      part.num_members = size;
      part.member_step = step;
      stacks_.emplace_back(layout_.outputs.size(), part);
    } else {
      output.num_columns = size;
      output.part_step = step;
    }
    layout_.outputs.push_back(std::move(output));
  }

  Status CheckMember(size_t spec, const Column& model, Mask mask) const {
    const Column& column = layout_.columns[spec].column;
    const auto problem = [&](const auto&... what) {
      return Status::Invalid("Stack '", asked_[spec].stack->name, "': column '",
                             asked_[spec].column, "' ", what...);
    };
    if (column.is_variable() || !column.dense_shape.empty()) {
      return problem("(", column.logical_type, ") is not one number per row");
    }
    if (column.dtype != model.dtype) {
      return problem("is ", DTypeName(column.dtype), ", but '", model.name, "' is ",
                     DTypeName(model.dtype), ": give the stack a dtype");
    }
    if (asked_[spec].mask != mask) return problem("has another mask than the others");
    return {};
  }

  void AddStackParts() {
    for (const auto& [output, part] : stacks_) {
      layout_.outputs[output].values = layout_.parts.size();
      layout_.parts.push_back(part);
    }
  }

  const std::vector<ColumnSpec>& asked_;
  const Catalog& catalog_;
  BatchLayout layout_;
  std::vector<std::pair<size_t, Part>> stacks_;  // index of the output, and its part
};

}  // namespace

bool BatchLayout::has_variable_parts() const {
  return std::any_of(parts.begin(), parts.end(),
                     [](const Part& part) { return part.is_variable; });
}

Result<BatchLayout> LayOutBatches(const std::vector<ColumnSpec>& columns,
                                  const Catalog& catalog) {
  return LayoutMaker(columns, catalog).Make();
}

size_t CountOutputs(const std::vector<ColumnSpec>& columns) {
  size_t count = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool goes_on =
        i > 0 && columns[i].stack && columns[i].stack == columns[i - 1].stack;
    if (!goes_on) count += columns[i].mask == Mask::kNone ? 1 : 2;
  }
  return count;
}

std::vector<Splits> SplitsOf(const Output& output, const Batch& batch) {
  if (!output.column.is_variable()) return {};
  const size_t first = output.lengths.empty() ? output.values : output.lengths[0];
  std::vector<Splits> splits = {{batch.parts[first].offsets, batch.num_rows + 1}};
  for (const size_t lengths : output.lengths) {
    const BatchPart& part = batch.parts[lengths];
    splits.push_back(
        {reinterpret_cast<int64_t*>(part.data), part.offsets[batch.num_rows] + 1});
  }
  return splits;
}

}  // namespace rowfeed
