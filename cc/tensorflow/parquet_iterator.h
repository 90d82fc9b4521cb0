// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_PARQUET_ITERATOR_H_
#define ROWFEED_TENSORFLOW_PARQUET_ITERATOR_H_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/stream/batch_stream.h"
#include "core/stream/conversion_timer.h"
#include "core/stream/dataset_place.h"
#include "core/stream/epochs/cursor.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/model.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/parquet_dataset.h"
#include "tensorflow/split_reader.h"
#include "tensorflow/tf_version.h"

namespace rowfeed::tfdata {

// A position in the epochs that the dataset's cursor hands out. If TensorFlow asks for
// it, elements come from splits of an epoch instead, or by index (global shuffle).
class ParquetIterator : public tensorflow::data::DatasetIterator<ParquetDataset> {
 public:
  explicit ParquetIterator(const Params& params)
      : DatasetIterator(params), by_index_(params.dataset) {}
  ~ParquetIterator() override;

  bool SymbolicCheckpointCompatible() const override { return true; }
  absl::Status Initialize(tensorflow::data::IteratorContext* ctx) override;

 protected:
  absl::Status GetNextInternal(tensorflow::data::IteratorContext* ctx,
                               std::vector<tensorflow::Tensor>* out_tensors,
                               bool* end_of_sequence) override;
  absl::Status SkipInternal(tensorflow::data::IteratorContext* ctx, int num_to_skip,
                            bool* end_of_sequence, int* num_skipped) override;
  absl::Status SaveInternal(tensorflow::data::SerializationContext* ctx,
                            tensorflow::data::IteratorStateWriter* writer) override;
  absl::Status RestoreInternal(tensorflow::data::IteratorContext* ctx,
                               tensorflow::data::IteratorStateReader* reader) override;
  std::shared_ptr<tensorflow::data::model::Node> CreateNode(
      tensorflow::data::IteratorContext* ctx,
      tensorflow::data::model::Node::Args args) const override;
  tensorflow::data::TraceMeMetadata GetTraceMeMetadata() const override;

 private:
  // What an iteration is doing. The numbers are written to checkpoints.
  enum Phase : int64_t {
    kNotBegun = 0,  // the next pull takes an epoch from the cursor
    kRunning = 1,
    kEnded = 2,
  };
  absl::Status Resume(tensorflow::data::IteratorContext* ctx, Phase phase,
                      const Progress& progress);
  // Called before a pull. From the first pull on, this iteration is the dataset's
  // state.
  void Begin();
  // Whether nothing is to come: the end was reached, or too many epochs failed to
  // begin.
  bool IsOver() const;
  // Notes whether a pull or a skip has begun an epoch, or has failed to.
  void CountBegin(const absl::Status& status);
  void Cancel();

  std::function<void()> deregister_cancellation_ = [] {};
  GlobalShuffleIterator by_index_;
  std::atomic<bool> is_by_index_{false};
  std::shared_ptr<DatasetPlace> place_;
  std::shared_ptr<Cursor> cursor_;  // the cursor of place_
  std::shared_ptr<BatchStream> stream_;
  std::unique_ptr<SplitReader> splits_;  // nullptr: the iterator reads all of the data
  ConversionTimer conversion_;
  std::mutex mutex_;
  // mutex_ guards the members below.
  Phase phase_ = kNotBegun;
  int failed_begins_ = 0;  // failed attempts to begin an epoch, in a row
};

// For ParquetDataset, which does not know its iterators.
std::unique_ptr<tensorflow::data::IteratorBase> MakeParquetIterator(
    const ParquetDataset* dataset, const std::string& prefix);

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_PARQUET_ITERATOR_H_
