// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_SPLIT_PROVIDER_H_
#define ROWFEED_TENSORFLOW_SPLIT_PROVIDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/epochs/epoch_splits.h"
#include "core/stream/options/options.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/tensor.h"

namespace rowfeed::tfdata {

// Reads a split from its int64 tensor.
absl::Status SplitFromTensor(const tensorflow::Tensor& tensor, EpochSplit* split);

// Hands out EpochSplits as tensors. Thread-safe.
class WindowSplitProvider : public tensorflow::data::SplitProvider {
 public:
  WindowSplitProvider(const StreamOptions& options, EpochRows rows, int64_t first_epoch)
      : is_endless_(!options.num_epochs),
        splits_(options, std::move(rows), first_epoch) {}

  absl::Status GetNext(tensorflow::Tensor* split, bool* end_of_splits) override;
  absl::Status Reset() override;
  absl::Status Save(std::function<std::string(std::string)> full_name,
                    tensorflow::data::IteratorStateWriter* writer) override;
  absl::Status Restore(std::function<std::string(std::string)> full_name,
                       tensorflow::data::IteratorStateReader* reader) override;
  int64_t Cardinality() const override;

 private:
  const bool is_endless_;
  std::mutex mutex_;
  EpochSplits splits_;  // guarded by mutex_
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_SPLIT_PROVIDER_H_
