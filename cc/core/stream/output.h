// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OUTPUT_H_
#define ROWFEED_CORE_STREAM_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/catalog.h"
#include "core/catalog/column.h"
#include "core/status.h"
#include "core/stream/feature.h"

namespace rowfeed {

// A tensor of every batch, and which of the batch's parts it is made of. A mask is a
// tensor of its own, of type bool, right behind that of its feature.
struct Output {
  Column column;                // its name, type and shape
  std::vector<size_t> lengths;  // parts, from the outside in
  size_t values = 0;            // part
};

// Where the lists of one level begin, and at the end where the last one ends: row
// splits, as TensorFlow calls them.
struct Splits {
  int64_t* data;
  int64_t size;  // one more than there are lists
};

// Those of a ragged tensor from the rows inwards, the last one that of its values; of
// strings, that of their bytes. Empty for tensors of fixed shape.
std::vector<Splits> SplitsOf(const Output& output, const Batch& batch);

size_t CountOutputs(const std::vector<Feature>& features);

// The outputs of the features, in their order.
Result<std::vector<Output>> ResolveOutputs(const std::vector<Feature>& features,
                                           const Catalog& catalog);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OUTPUT_H_
