// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_PARQUET_DATASET_H_
#define ROWFEED_TENSORFLOW_PARQUET_DATASET_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/stream/dataset_place.h"
#include "core/stream/options/mixture_options.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/partial_tensor_shape.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/core/platform/refcount.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/dataset_params.h"
#include "tensorflow/step_reader.h"
#include "tensorflow/tf_version.h"

namespace rowfeed::tfdata {

// The dataset: parameters and the shared place. What changes is in the place or in an
// iterator. Making a dataset reads nothing, because the dispatcher of the tf.data
// service also makes one, and may not see the files.
class ParquetDataset : public DatasetBase {
 public:
  // Makes an iterator over the dataset, whose prefix TensorFlow gives.
  using MakeIterator = std::unique_ptr<tensorflow::data::IteratorBase> (*)(
      const ParquetDataset* dataset, const std::string& prefix);

  ParquetDataset(tensorflow::data::DatasetContext&& ctx, DatasetParams params,
                 tensorflow::core::RefCountPtr<CursorResource> cursor,
                 MakeIterator make_iterator);

  const DatasetParams& params() const { return params_; }
  // What a checkpoint must agree with: the data, and everything that decides the order.
  const std::string& identity() const { return identity_; }
  // Refuses the identity of a checkpoint if it is not this one. The error names the
  // first difference.
  absl::Status CheckIdentity(absl::string_view saved) const;
  // Returns the dataset's place. Opens the data in a process that got only the graph.
  absl::Status OpenPlace(std::shared_ptr<DatasetPlace>* place) const;

  const tensorflow::DataTypeVector& output_dtypes() const override {
    return params_.dtypes;
  }
  const std::vector<tensorflow::PartialTensorShape>& output_shapes() const override {
    return params_.shapes;
  }
  std::string DebugString() const override {
    return "RowfeedParquetDatasetOp::Dataset";
  }
  int64_t CardinalityInternal(
      tensorflow::data::CardinalityOptions options) const override;
  absl::Status InputDatasets(
      std::vector<const tensorflow::data::DatasetBase*>* inputs) const override;
  absl::Status CheckExternalState() const override { return absl::OkStatus(); }

  // Element i is what step i delivers, in an iteration that begins at the first epoch.
  absl::Status RandomIndexingCompatible() const override { return absl::OkStatus(); }
  absl::Status Get(tensorflow::OpKernelContext* ctx, int64_t index,
                   std::vector<tensorflow::Tensor>* out_tensors) const override;
  absl::Status Get(AnyContext ctx, int64_t index,
                   std::vector<tensorflow::Tensor>* out_tensors) const override;

  absl::Status MakeSplitProviders(
      std::vector<std::unique_ptr<tensorflow::data::SplitProvider>>* providers)
      const override;

 protected:
  absl::Status AsGraphDefInternal(tensorflow::data::SerializationContext* ctx,
                                  DatasetGraphDefBuilder* builder,
                                  tensorflow::Node** output) const override;
  std::unique_ptr<tensorflow::data::IteratorBase> MakeIteratorInternal(
      const std::string& prefix) const override;

 private:
  // Returns the number of rows in an epoch of each source. nullopt: they are not known
  // and may not be counted, or counting them fails.
  std::optional<std::vector<int64_t>> NumSourceRows(bool may_count) const;

  const DatasetParams params_;
  const tensorflow::core::RefCountPtr<CursorResource> cursor_;
  const std::string identity_;
  const MakeIterator make_iterator_;
  mutable StepReader steps_;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_PARQUET_DATASET_H_
