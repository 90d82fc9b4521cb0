// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_ELEMENT_H_
#define ROWFEED_TENSORFLOW_ELEMENT_H_

#include <vector>

#include "absl/status/status.h"
#include "core/batch/batch.h"
#include "core/catalog/column.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/types.h"

namespace rowfeed::tfdata {

// How a batch becomes the flat components of an element, in tf.nest's order.
struct ElementLayout {
  // Components that are not columns of the batch.
  static constexpr int kValid = -1;   // bool: whether the row is not fill
  static constexpr int kWeight = -2;  // float32: 1, or 0 for fill

  // Indices of columns, or one of the above.
  std::vector<int> components;
  // False: a batch is one row, and components lack the batch dimension.
  bool batched = true;

  // Whether these components can be made of `num_columns` columns.
  absl::Status Validate(size_t num_columns, size_t num_outputs) const;
  // Whether `columns` have the types that were promised.
  absl::Status CheckTypes(const std::vector<Column>& columns,
                          const tensorflow::DataTypeVector& dtypes) const;
};

// Appends the components of `batch` to `*element`. Tensors of numbers and strings
// longer than a tstring holds inline are views of the batch's memory and keep it;
// numbers are copied where batches share an arena.
void MakeElement(const ElementLayout& layout, const std::vector<Column>& columns,
                 const Batch& batch, std::vector<tensorflow::Tensor>* element);

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_ELEMENT_H_
