// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_BLOOM_H_
#define ROWFEED_CORE_FILTER_BOUNDS_BLOOM_H_

#include <functional>
#include <string>

#include "arrow/compute/expression.h"
#include "core/filter/bounds/split_block_bloom.h"

namespace rowfeed {

// Returns the bloom filter of the column with this name; nullptr if there is none.
using BloomFinder = std::function<const SplitBlockBloom*(const std::string&)>;

// Whether a bound expression may be true for a row of a row group. Uses the bloom
// filters of the columns that the expression compares with values for equality.
bool MayBeTrue(const arrow::compute::Expression& expression, const BloomFinder& find);

// Whether a column chunk may hold `value`, as its bloom filter says. Returns true also
// if the bloom filter cannot be read (whoever reads the chunk will report the error),
// if equal values may be stored in different ways, or if `bloom` is nullptr.
bool MayHold(const SplitBlockBloom* bloom, const arrow::Scalar& value);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_BLOOM_H_
