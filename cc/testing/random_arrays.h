// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_RANDOM_ARRAYS_H_
#define ROWFEED_TESTING_RANDOM_ARRAYS_H_

#include <cstdint>
#include <memory>

#include "arrow/type_fwd.h"

namespace rowfeed::testing {

struct RandomArrayOptions {
  double null_share = 0;  // share of nulls among rows, and among elements of lists
  // Number of different values. A few make dictionaries; 0 makes all values random.
  int64_t distinct_values = 0;
  // The most bytes of a string, or elements of a variable list.
  int64_t max_length = 12;
  // If not 0: rows come in runs of this many. The first run is null, the next is not,
  // and so on.
  int64_t null_run = 0;

  bool is_in_null_run(int64_t row) const {
    return null_run > 0 && row / null_run % 2 == 0;
  }
};

// Returns `size` random values of any type that rowfeed reads. Equal arguments give
// equal arrays.
std::shared_ptr<arrow::Array> RandomArray(const std::shared_ptr<arrow::DataType>& type,
                                          int64_t size, uint64_t seed,
                                          const RandomArrayOptions& options = {});

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_RANDOM_ARRAYS_H_
