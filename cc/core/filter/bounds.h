// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_H_
#define ROWFEED_CORE_FILTER_BOUNDS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "arrow/compute/expression.h"
#include "arrow/type_fwd.h"
#include "parquet/schema.h"

namespace rowfeed {

// What is believed of what a footer or a page index states of some values of a column
// (trusted_bounds.h).
struct Bounds {
  int64_t num_values = 0;            // nulls included
  std::optional<int64_t> num_nulls;  // nullopt: not known
  std::optional<std::string> min;    // plain coded; maybe less than the least value
  std::optional<std::string> max;    // the same, the other way
  bool max_is_exact = false;         // The file says that `max` is one of the values.
  // Bytes alone: `max` may be the beginning of the greatest value.
  bool max_may_be_cut = false;

  void DropMinMax() {
    min.reset();
    max.reset();
  }
};

// Whether the bounds of the column mean the same in the file and in a filter: of its
// numbers, strings, binaries, dates and times, unless the unit differs; of decimals
// that are stored as integers, unless the scale differs.
bool HasBounds(const parquet::ColumnDescriptor& column, const arrow::DataType& type);

// The bounds as values of a filter's column.
struct ScalarBounds {
  std::shared_ptr<arrow::Scalar> min;
  std::shared_ptr<arrow::Scalar> max;  // nullptr: none, since it may have been cut
  bool max_is_excluded = false;        // All values are less than `max`.
};
std::optional<ScalarBounds> BoundsAsScalars(const arrow::Field& field,
                                            const Bounds& bounds);

// What must be true of the values of `field`: literal(true) if nothing is known, or a
// bound is NaN. A value that is NaN is outside of all bounds, and must be thought of by
// the caller.
arrow::compute::Expression GuaranteeOf(const arrow::Field& field, const Bounds& bounds);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_H_
