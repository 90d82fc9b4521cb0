// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/split_provider.h"

#include <optional>

#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Tensor;

constexpr int64_t kSplitFields = 4;
constexpr char kBeginEpoch[] = "begin_epoch";
constexpr char kEpochsDone[] = "epochs_done";
constexpr char kNextWindow[] = "next_window";

Tensor ToTensor(const EpochSplit& split) {
  Tensor tensor(tensorflow::DT_INT64, {kSplitFields});
  tensor.vec<int64_t>().setValues({split.epoch, split.lane, split.begin, split.end});
  return tensor;
}

}  // namespace

absl::Status ParseSplit(const Tensor& tensor, EpochSplit* split) {
  if (tensor.dtype() != tensorflow::DT_INT64 || tensor.NumElements() != kSplitFields) {
    return absl::InvalidArgumentError("The split is not one of rowfeed's");
  }
  const auto fields = tensor.flat<int64_t>();
  *split = {fields(0), fields(1), fields(2), fields(3)};
  return absl::OkStatus();
}

absl::Status WindowSplitProvider::GetNext(Tensor* split, bool* end_of_splits) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::optional<EpochSplit> next = splits_.Next();
  *end_of_splits = !next;
  if (next) *split = ToTensor(*next);
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
  const EpochSplits::Place& place = splits_.place();
  TF_RETURN_IF_ERROR(writer->WriteScalar(full_name(kBeginEpoch), place.begin_epoch));
  TF_RETURN_IF_ERROR(writer->WriteScalar(full_name(kEpochsDone), place.epochs_done));
  return writer->WriteScalar(full_name(kNextWindow), place.next_window);
}

absl::Status WindowSplitProvider::Restore(
    std::function<std::string(std::string)> full_name,
    tensorflow::data::IteratorStateReader* reader) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EpochSplits::Place place;
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kBeginEpoch), &place.begin_epoch));
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kEpochsDone), &place.epochs_done));
  TF_RETURN_IF_ERROR(reader->ReadScalar(full_name(kNextWindow), &place.next_window));
  return ToTensorFlow(splits_.Move(place));
}

int64_t WindowSplitProvider::Cardinality() const {
  return is_endless_ ? tensorflow::data::kInfiniteCardinality
                     : tensorflow::data::kUnknownCardinality;
}

}  // namespace rowfeed::tfdata
