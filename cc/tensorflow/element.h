// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_ELEMENT_H_
#define ROWFEED_TENSORFLOW_ELEMENT_H_

#include <vector>

#include "absl/status/status.h"
#include "core/batch/batch.h"
#include "core/stream/options/batch_layout.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/types.h"

namespace rowfeed::tfdata {

// How a batch becomes the flat components of an element, in the order of tf.nest.
struct ElementLayout {
  // Components that are not outputs of the stream.
  static constexpr int kValid = -1;   // bool: whether the row is not fill
  static constexpr int kWeight = -2;  // float32: 1 for a row, 0 for fill

  // For each component, the index of an output or one of the constants above.
  std::vector<int> components;
  // If false, a batch is one row, and components have no batch dimension.
  bool batched = true;

  // Checks that `num_components` components can be made of `num_outputs` outputs.
  absl::Status Validate(size_t num_outputs, size_t num_components) const;
  // Checks that `outputs` have the types that the graph has promised.
  absl::Status CheckTypes(const std::vector<Output>& outputs,
                          const tensorflow::DataTypeVector& dtypes) const;
};

// Appends the components of `batch` to `*element`. Tensors of numbers and of inline
// strings are views of the batch's memory and keep it; where batches share an arena,
// they are copies. Longer strings are such views in both cases.
void MakeElement(const ElementLayout& layout, const std::vector<Output>& outputs,
                 const Batch& batch, std::vector<tensorflow::Tensor>* element);

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_ELEMENT_H_
