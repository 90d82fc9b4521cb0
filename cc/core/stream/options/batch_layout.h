// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_BATCH_LAYOUT_H_
#define ROWFEED_CORE_STREAM_OPTIONS_BATCH_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/catalog.h"
#include "core/catalog/column.h"
#include "core/decode/blocks/part.h"
#include "core/status.h"
#include "core/stream/options/feature.h"

namespace rowfeed {

// A tensor of every batch, and which of the batch's parts it is made of. A mask is a
// tensor of its own, of type bool, right behind that of its feature.
struct Output {
  Column column;                // its name, type and shape
  std::vector<size_t> lengths;  // parts, from the outside in
  size_t values = 0;            // part
  // Not 0: element k of a row is in the part `values` + k, of so many: the columns of
  // the tensor lie side by side, each as far behind the one before as their parts are.
  size_t num_columns = 0;
};

// What batches are made of: the parts of one feature after the other, then stacks.
struct BatchLayout {
  std::vector<FeatureSource> features;
  std::vector<size_t> first_parts;  // of each feature; and the end
  std::vector<Part> parts;
  std::vector<Output> outputs;

  bool is_variable(size_t feature) const {
    return parts[first_parts[feature]].is_variable;
  }
  bool has_variable_parts() const;
  bool has_stacks() const { return parts.size() > first_parts.back(); }
};

Result<BatchLayout> LayOutBatches(const std::vector<Feature>& features,
                                  const Catalog& catalog);

// How many outputs there will be.
size_t CountOutputs(const std::vector<Feature>& features);

// Where the lists of one level begin, and at the end where the last one ends: row
// splits, as TensorFlow calls them.
struct Splits {
  int64_t* data;
  int64_t size;  // one more than there are lists
};

// Those of a ragged tensor from the rows inwards, the last one that of its values; of
// strings, that of their bytes. Empty for tensors of fixed shape.
std::vector<Splits> SplitsOf(const Output& output, const Batch& batch);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_BATCH_LAYOUT_H_
