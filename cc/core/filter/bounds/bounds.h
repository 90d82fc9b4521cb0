// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_BOUNDS_H_
#define ROWFEED_CORE_FILTER_BOUNDS_BOUNDS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "arrow/compute/expression.h"
#include "arrow/type_fwd.h"
#include "parquet/schema.h"

namespace rowfeed {

// What we believe about some values of a column, out of what the footer or a page index
// states (trusted_bounds.h says what is believed).
struct Bounds {
  int64_t num_values = 0;            // number of values, nulls included
  std::optional<int64_t> num_nulls;  // number of nulls; nullopt: unknown
  // Lower bound of all values, in plain encoding. May be less than the least value.
  std::optional<std::string> min;
  // Upper bound of all values. May be greater than the greatest value.
  std::optional<std::string> max;
  bool max_is_exact = false;  // the file says that `max` is one of the values
  // Only for strings and binaries: `max` may be just the beginning of the greatest
  // value.
  bool max_may_be_cut = false;

  void DropMinMax() {
    min.reset();
    max.reset();
  }
};

// Whether the column's bounds have the same meaning in the file and in a filter. True
// for numbers, strings, binaries, dates, and times in the same unit; true for decimals
// that are stored as integers with the same scale.
bool HasBounds(const parquet::ColumnDescriptor& column, const arrow::DataType& type);

// Bounds as Arrow values of the type of a filter's column.
struct ScalarBounds {
  std::shared_ptr<arrow::Scalar> min;
  std::shared_ptr<arrow::Scalar> max;  // upper bound; nullptr: none is known
  bool max_is_excluded = false;        // all values are less than `max`
};
std::optional<ScalarBounds> BoundsAsScalars(const arrow::Field& field,
                                            const Bounds& bounds);

// Returns an expression that is true for all values of `field`, nulls included;
// literal(true) if nothing is known or a bound is NaN. A NaN among the values lies
// outside of all bounds, so the expression may be false for it: the caller must handle
// NaN.
arrow::compute::Expression GuaranteeOf(const arrow::Field& field, const Bounds& bounds);
// Like GuaranteeOf, for a column that has one value in all rows, which is both bounds
// exactly. Arrow then computes what depends on the column alone.
arrow::compute::Expression GuaranteeOfConstant(const arrow::Field& field,
                                               const Bounds& bounds);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_BOUNDS_H_
