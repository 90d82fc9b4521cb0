// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BLOOM_H_
#define ROWFEED_CORE_FILTER_BLOOM_H_

#include <functional>
#include <string>

#include "arrow/compute/expression.h"
#include "core/filter/split_block_bloom.h"

namespace rowfeed {

// Finds the bloom filter of a column by name; nullptr if there is none.
using BloomFinder = std::function<const SplitBlockBloom*(const std::string&)>;

// Whether a bound expression may be true of a row of a column chunk, by the bloom
// filters of columns that are compared with values for equality.
bool MayBeTrue(const arrow::compute::Expression& expression, const BloomFinder& find);

// Whether a chunk may hold a value, by its bloom filter. True as well where that cannot
// be read, or equal values may be stored differently: whoever reads the chunk will say
// what is wrong. nullptr: there is no bloom filter.
bool MayHold(const SplitBlockBloom* bloom, const arrow::Scalar& value);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BLOOM_H_
