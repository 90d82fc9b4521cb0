// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_DATASET_PARAMS_H_
#define ROWFEED_TENSORFLOW_DATASET_PARAMS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/stream/options/options.h"
#include "tensorflow/core/framework/partial_tensor_shape.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/element.h"

namespace rowfeed::tfdata {

// All that the graph says of a dataset: the inputs and attributes of its op.
struct DatasetParams {
  // One for each source of a mixture, otherwise one.
  std::vector<CursorResource::Source> sources;
  int64_t first_epoch = 0;
  StreamOptions options;
  // For each source, the number of rows of each of its row groups.
  std::vector<std::shared_ptr<const std::vector<int64_t>>> group_rows;
  // What the attribute `selected` of the op has, of which `sources` are made.
  std::vector<int64_t> selected;
  std::string cursor_name;
  ElementLayout layout;
  tensorflow::DataTypeVector dtypes;
  std::vector<tensorflow::PartialTensorShape> shapes;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_DATASET_PARAMS_H_
