// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/bounds_check.h"

#include <algorithm>
#include <utility>

#include "arrow/array.h"
#include "arrow/compute/api_aggregate.h"
#include "arrow/compute/exec.h"
#include "arrow/datum.h"
#include "arrow/scalar.h"
#include "arrow/type.h"
#include "core/filter/bounds/bloom.h"
#include "core/filter/bounds/strings_outside.h"

namespace rowfeed {
namespace {

using ScalarPtr = std::shared_ptr<arrow::Scalar>;

// Number of values of a chunk that are looked up in its bloom filter. A few are enough:
// a wrong bloom filter lacks most values.
constexpr int64_t kMostLookUps = 8;

// Whether a is less than b. False also if Arrow cannot compare them.
bool IsLess(const ScalarPtr& a, const ScalarPtr& b) {
  const auto less = arrow::compute::CallFunction("less", {a, b});
  if (!less.ok()) return false;
  const auto& is_less = less->scalar_as<arrow::BooleanScalar>();
  return is_less.is_valid && is_less.value;
}

}  // namespace

BoundsCheck::BoundsCheck(const arrow::Schema& schema,
                         const std::vector<BelievedBounds>& believed,
                         const RandomAccessFile& file, int64_t group_rows)
    : schema_(schema),
      believed_(believed),
      file_(file),
      group_rows_(group_rows),
      seen_(believed.size()) {}

void BoundsCheck::Say(size_t column, std::string what) {
  if (!found_) found_ = Lie{column, std::move(what)};
}

void BoundsCheck::Look(size_t column, int64_t begin, const arrow::Array& values) {
  for (size_t i = 0; i < believed_.size() && !found_; ++i) {
    const BelievedBounds& believed = believed_[i];
    if (believed.column != column) continue;
    seen_[i].rows += values.length();
    seen_[i].nulls += values.null_count();
    if (believed.chunk) LookAtBounds(column, *believed.chunk, values, "the row group");
    LookAtPages(believed, begin, values);
    if (believed.bloom && !std::exchange(seen_[i].bloom, true)) {
      LookAtBloom(believed, values);
    }
  }
}

void BoundsCheck::LookAtPages(const BelievedBounds& believed, int64_t begin,
                              const arrow::Array& values) {
  const int64_t end = begin + values.length();
  for (size_t page = 0; page < believed.pages.size(); ++page) {
    const Interval& rows = believed.page_rows[page];
    const Interval common{std::max(rows.begin, begin), std::min(rows.end, end)};
    if (common.size() <= 0) continue;
    const auto slice = values.Slice(common.begin - begin, common.size());
    const Bounds& bounds = believed.pages[page];
    LookAtBounds(believed.column, bounds, *slice,
                 "the page of row " + std::to_string(rows.begin));
    if (common.size() == rows.size() && bounds.num_nulls &&
        slice->null_count() != *bounds.num_nulls) {
      Say(believed.column, "the page of row " + std::to_string(rows.begin) + " has " +
                               std::to_string(slice->null_count()) + " nulls, not " +
                               std::to_string(*bounds.num_nulls));
    }
  }
}

void BoundsCheck::LookAtBounds(size_t column, const Bounds& bounds,
                               const arrow::Array& values, const std::string& where) {
  const int64_t num_valid = values.length() - values.null_count();
  if (bounds.num_nulls && values.null_count() > *bounds.num_nulls) {
    Say(column, where + " has more nulls than " + std::to_string(*bounds.num_nulls));
  }
  if (bounds.num_nulls && num_valid > bounds.num_values - *bounds.num_nulls) {
    Say(column, where + " has fewer nulls than " + std::to_string(*bounds.num_nulls));
  }
  const auto limits = BoundsAsScalars(*schema_.field(static_cast<int>(column)), bounds);
  if (num_valid == 0 || !limits) return;
  if (arrow::is_large_binary_like(values.type_id()) && bounds.max_may_be_cut) {
    const auto view = [](const ScalarPtr& scalar) {
      return static_cast<const arrow::BaseBinaryScalar&>(*scalar).view();
    };
    const auto outside = FirstStringOutside(
        static_cast<const arrow::LargeBinaryArray&>(values), view(limits->min),
        limits->max ? std::optional(view(limits->max)) : std::nullopt);
    if (outside) Say(column, where + " has a value that is outside of its bounds");
    return;
  }
  // MinMax ignores NaN, which lies outside of all bounds.
  const auto found = arrow::compute::MinMax(values);
  if (!found.ok()) return;
  const auto& pair = found->scalar_as<arrow::StructScalar>();
  const bool is_below = IsLess(pair.value[0], limits->min);
  const bool is_above = limits->max && !IsLess(pair.value[1], limits->max) &&
                        (limits->max_is_excluded || IsLess(limits->max, pair.value[1]));
  if (is_below || is_above) {
    Say(column, where + " has " + pair.value[is_below ? 0 : 1]->ToString() +
                    (is_below ? ", which is below " + limits->min->ToString()
                              : ", which is above " + limits->max->ToString()));
  }
}

void BoundsCheck::LookAtBloom(const BelievedBounds& believed,
                              const arrow::Array& values) {
  const SplitBlockBloom bloom = believed.bloom->In(file_);
  int64_t num_looked_up = 0;
  for (int64_t i = 0; i < values.length() && num_looked_up < kMostLookUps; ++i) {
    if (values.IsNull(i)) continue;
    ++num_looked_up;
    const auto value = values.GetScalar(i);
    if (value.ok() && !MayHold(&bloom, **value)) {
      Say(believed.column, "the bloom filter lacks " + (*value)->ToString());
      return;
    }
  }
}

std::optional<BoundsCheck::Lie> BoundsCheck::Found() {
  for (size_t i = 0; i < believed_.size(); ++i) {
    const std::optional<Bounds>& chunk = believed_[i].chunk;
    if (!chunk || !chunk->num_nulls) continue;
    const bool is_whole = seen_[i].rows == group_rows_;
    if (seen_[i].nulls > *chunk->num_nulls ||
        (is_whole && seen_[i].nulls < *chunk->num_nulls)) {
      Say(believed_[i].column, "the row group has " + std::to_string(seen_[i].nulls) +
                                   " nulls, not " + std::to_string(*chunk->num_nulls));
    }
  }
  return found_;
}

}  // namespace rowfeed
