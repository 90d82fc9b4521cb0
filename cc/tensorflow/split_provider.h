// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_SPLIT_PROVIDER_H_
#define ROWFEED_TENSORFLOW_SPLIT_PROVIDER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/options/options.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/tensor.h"

namespace rowfeed::tfdata {

// One window of the plan of an epoch, which one reader reads. Its int64 tensor has all
// that a reader needs, so that readers need no plan.
struct Split {
  int64_t epoch;
  int64_t lane;
  int64_t begin;  // rows [begin, end) of the lane
  int64_t end;

  tensorflow::Tensor ToTensor() const;
  static absl::Status FromTensor(const tensorflow::Tensor& tensor, Split* split);
};

// Hands out the windows of `num_epochs` epochs, each once, in about the order in which
// one iteration would read them. They are computed from the number of rows of each row
// group, so that no file is read. Reset goes on with the next epoch, as the next
// iteration would. Thread-safe.
class WindowSplitProvider : public tensorflow::data::SplitProvider {
 public:
  WindowSplitProvider(const StreamOptions& options, EpochRows rows, int64_t first_epoch)
      : options_(options), rows_(std::move(rows)), begin_epoch_(first_epoch) {}

  absl::Status GetNext(tensorflow::Tensor* split, bool* end_of_splits) override;
  absl::Status Reset() override;
  absl::Status Save(std::function<std::string(std::string)> full_name,
                    tensorflow::data::IteratorStateWriter* writer) override;
  absl::Status Restore(std::function<std::string(std::string)> full_name,
                       tensorflow::data::IteratorStateReader* reader) override;
  int64_t Cardinality() const override;

 private:
  void LoadEpoch();

  const StreamOptions options_;
  const EpochRows rows_;
  std::mutex mutex_;
  int64_t begin_epoch_;      // the first epoch since the last Reset
  int64_t epochs_done_ = 0;  // epochs handed out since the last Reset
  size_t next_ = 0;          // index of the next window in windows_
  bool loaded_ = false;
  std::vector<Window> windows_;  // the windows of epoch begin_epoch_ + epochs_done_
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_SPLIT_PROVIDER_H_
