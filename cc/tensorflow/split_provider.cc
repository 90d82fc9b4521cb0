// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/split_provider.h"

#include <algorithm>

#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/platform/errors.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Tensor;

constexpr int64_t kSplitFields = 4;
constexpr char kBeginEpoch[] = "begin_epoch";
constexpr char kEpochsDone[] = "epochs_done";
constexpr char kNextWindow[] = "next_window";

}  // namespace

Tensor Split::ToTensor() const {
  Tensor tensor(tensorflow::DT_INT64, {kSplitFields});
  tensor.vec<int64_t>().setValues({epoch, lane, begin, end});
  return tensor;
}

absl::Status Split::FromTensor(const Tensor& tensor, Split* split) {
  if (tensor.dtype() != tensorflow::DT_INT64 || tensor.NumElements() != kSplitFields) {
    return absl::InvalidArgumentError("The split is not one of rowfeed's");
  }
  const auto fields = tensor.flat<int64_t>();
  *split = {fields(0), fields(1), fields(2), fields(3)};
  return absl::OkStatus();
}

void WindowSplitProvider::LoadEpoch() {
  const int64_t epoch = begin_epoch_ + epochs_done_;
  const EpochPlan plan(rows_, options_.order, options_.OrderEpoch(epoch));
  windows_.clear();
  for (int64_t lane = 0; lane < plan.num_lanes(); ++lane) {
    for (int64_t index = 0; index < plan.num_windows(lane); ++index) {
      windows_.push_back(plan.window(lane, index));
    }
  }
  std::stable_sort(windows_.begin(), windows_.end(),
                   [](const Window& a, const Window& b) { return a.begin < b.begin; });
  loaded_ = true;
}

absl::Status WindowSplitProvider::GetNext(Tensor* split, bool* end_of_splits) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::optional<int64_t> epochs = options_.num_epochs;
  while (!epochs || epochs_done_ < *epochs) {
    if (!loaded_) LoadEpoch();
    if (next_ < windows_.size()) {
      const Window& window = windows_[next_++];
      *split = Split{begin_epoch_ + epochs_done_, window.lane, window.begin, window.end}
                   .ToTensor();
      *end_of_splits = false;
      return absl::OkStatus();
    }
    if (windows_.empty()) break;  // without rows, even endless epochs end
    ++epochs_done_;
    next_ = 0;
    loaded_ = false;
  }
  *end_of_splits = true;
  return absl::OkStatus();
}

absl::Status WindowSplitProvider::Reset() {
  const std::lock_guard<std::mutex> lock(mutex_);
  begin_epoch_ += epochs_done_ + (next_ > 0 ? 1 : 0);
  epochs_done_ = 0;
  next_ = 0;
  loaded_ = false;
  return absl::OkStatus();
}

absl::Status WindowSplitProvider::Save(
    std::function<std::string(std::string)> full_name,
    tensorflow::data::IteratorStateWriter* writer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  TF_RETURN_IF_ERROR(writer->WriteScalar(full_name(kBeginEpoch), begin_epoch_));
  TF_RETURN_IF_ERROR(writer->WriteScalar(full_name(kEpochsDone), epochs_done_));
  return writer->WriteScalar(full_name(kNextWindow), static_cast<int64_t>(next_));
}

absl::Status WindowSplitProvider::Restore(
    std::function<std::string(std::string)> full_name,
    tensorflow::data::IteratorStateReader* reader) {
  const std::lock_guard<std::mutex> lock(mutex_);
  int64_t next = 0;
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kBeginEpoch), &begin_epoch_));
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kEpochsDone), &epochs_done_));
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kNextWindow), &next));
  next_ = static_cast<size_t>(next);
  loaded_ = false;
  return absl::OkStatus();
}

int64_t WindowSplitProvider::Cardinality() const {
  return options_.num_epochs ? tensorflow::data::kUnknownCardinality
                             : tensorflow::data::kInfiniteCardinality;
}

}  // namespace rowfeed::tfdata
