// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/split_provider.h"

#include <algorithm>
#include <tuple>

#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Tensor;

constexpr int64_t kSplitFields = std::tuple_size_v<EpochSplit::Numbers>;
constexpr char kBeginEpoch[] = "begin_epoch";
constexpr char kEpochsDone[] = "epochs_done";
constexpr char kNextWindow[] = "next_window";

Tensor ToTensor(const EpochSplit& split) {
  Tensor tensor(tensorflow::DT_INT64, {kSplitFields});
  const EpochSplit::Numbers numbers = split.ToNumbers();
  std::copy(numbers.begin(), numbers.end(), tensor.flat<int64_t>().data());
  return tensor;
}

}  // namespace

absl::Status SplitFromTensor(const Tensor& tensor, EpochSplit* split) {
  if (tensor.dtype() != tensorflow::DT_INT64 || tensor.NumElements() != kSplitFields) {
    return absl::InvalidArgumentError("The split is not one of rowfeed's");
  }
  EpochSplit::Numbers numbers;
  std::copy_n(tensor.flat<int64_t>().data(), kSplitFields, numbers.begin());
  *split = EpochSplit::FromNumbers(numbers);
  return absl::OkStatus();
}

absl::Status WindowSplitProvider::GetNext(Tensor* split, bool* end_of_splits) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EpochSplit next;
  *end_of_splits = !splits_.Next(&next);
  if (!*end_of_splits) *split = ToTensor(next);
  return absl::OkStatus();
}

absl::Status WindowSplitProvider::Reset() {
  const std::lock_guard<std::mutex> lock(mutex_);
  splits_.Reset();
  return absl::OkStatus();
}

absl::Status WindowSplitProvider::Save(
    std::function<std::string(std::string)> full_name,
    tensorflow::data::IteratorStateWriter* writer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const EpochSplits::Position& at = splits_.position();
  TF_RETURN_IF_ERROR(writer->WriteScalar(full_name(kBeginEpoch), at.begin_epoch));
  TF_RETURN_IF_ERROR(writer->WriteScalar(full_name(kEpochsDone), at.epochs_done));
  return writer->WriteScalar(full_name(kNextWindow), at.next_window);
}

absl::Status WindowSplitProvider::Restore(
    std::function<std::string(std::string)> full_name,
    tensorflow::data::IteratorStateReader* reader) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EpochSplits::Position at;
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kBeginEpoch), &at.begin_epoch));
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kEpochsDone), &at.epochs_done));
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kNextWindow), &at.next_window));
  return ToTensorFlow(splits_.Restore(at));
}

int64_t WindowSplitProvider::Cardinality() const {
  return is_endless_ ? tensorflow::data::kInfiniteCardinality
                     : tensorflow::data::kUnknownCardinality;
}

}  // namespace rowfeed::tfdata
