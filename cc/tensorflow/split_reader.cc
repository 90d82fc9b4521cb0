// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/split_reader.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/open_stream.h"
#include "tensorflow/pull.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {

SplitReader::SplitReader(std::shared_ptr<tensorflow::data::SplitProvider> provider,
                         const std::shared_ptr<DatasetRows>& rows,
                         const StreamOptions& options)
    : provider_(std::move(provider)),
      options_(options),
      cursor_(MakeCursor({rows}, options, /*first_epoch=*/0)) {}

absl::Status SplitReader::Next(Batch* batch, bool* end) {
  const DeliveryOptions& delivery = options_.delivery;
  const bool only_full = delivery.remainder == Remainder::kDrop;
  for (;;) {
    if (!stream_) TF_RETURN_IF_ERROR(NextWindow());
    *end = !stream_;
    if (*end) return absl::OkStatus();
    bool window_end = false;
    TF_RETURN_IF_ERROR(Pull(stream_.get(), batch, &window_end));
    if (window_end) {
      const std::lock_guard<std::mutex> lock(mutex_);
      stream_.reset();
    } else if (batch->num_rows == delivery.batch_size || !only_full) {
      return absl::OkStatus();
    }
  }
}

absl::Status SplitReader::NextWindow() {
  tensorflow::Tensor tensor;
  bool end = false;
  TF_RETURN_IF_ERROR(provider_->GetNext(&tensor, &end));
  if (end) return absl::OkStatus();
  Split split;
  TF_RETURN_IF_ERROR(Split::FromTensor(tensor, &split));
  std::shared_ptr<BatchStream> stream;
  TF_RETURN_IF_ERROR(OpenWindow(split, &stream));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (cancelled_) return absl::CancelledError("The iterator was cancelled");
  stream_ = std::move(stream);
  return absl::OkStatus();
}

absl::Status SplitReader::OpenWindow(const Split& split,
                                     std::shared_ptr<BatchStream>* stream) const {
  const int64_t lanes = options_.order.num_lanes;
  if (split.epoch < 0 || split.lane < 0 || split.lane >= lanes || split.begin < 0 ||
      split.begin > split.end || split.end > cursor_->rows()->MaxRows()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The split is not of this dataset: lane ", split.lane, ", rows ",
                     split.begin, " to ", split.end, " of epoch ", split.epoch));
  }
  // With as many ranks as lanes, rank l has the rows of lane l and no others.
  StreamOptions options = options_;
  options.num_epochs = 1;
  options.delivery.rank = split.lane;
  options.delivery.world_size = lanes;
  options.delivery.end_row = split.end * lanes;
  if (options.delivery.remainder != Remainder::kPad) {
    // If asked to, Next drops the short batch.
    options.delivery.remainder = Remainder::kUneven;
  }
  *stream = OpenStream(cursor_, options);
  Progress progress;
  progress.epoch = split.epoch;
  progress.row = split.begin * lanes;
  progress.next_epoch = split.epoch + 1;
  return ToTensorFlow((*stream)->Restore(progress));
}

void SplitReader::Cancel() {
  const std::lock_guard<std::mutex> lock(mutex_);
  cancelled_ = true;
  if (stream_) stream_->Cancel();
}

}  // namespace rowfeed::tfdata
