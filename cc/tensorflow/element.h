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

// How a batch becomes the flat components of an element, in tf.nest's order.
struct ElementLayout {
  // Components that are no outputs of the stream.
  static constexpr int kValid = -1;   // bool: whether the row is not fill
  static constexpr int kWeight = -2;  // float32: 1, or 0 for fill

  // Indices of outputs, or one of the above.
  std::vector<int> components;
  // False: a batch is one row, and components lack the batch dimension.
  bool batched = true;

  // Whether these components of the op can be made of `num_outputs` of the stream.
  absl::Status Validate(size_t num_outputs, size_t num_components) const;
  // Whether `outputs` have the types that were promised.
  absl::Status CheckTypes(const std::vector<Output>& outputs,
                          const tensorflow::DataTypeVector& dtypes) const;
};

// Appends the components of `batch` to `*element`. Tensors of numbers and of inline
// strings, and strings longer than those, are views of the batch's memory and keep it;
// but the former are copied where batches share an arena.
void MakeElement(const ElementLayout& layout, const std::vector<Output>& outputs,
                 const Batch& batch, std::vector<tensorflow::Tensor>* element);

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_ELEMENT_H_
