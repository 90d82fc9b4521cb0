// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/split_reader.h"

#include <utility>

#include "core/stream/open_streams.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/pull.h"
#include "tensorflow/split_provider.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {

SplitReader::SplitReader(std::shared_ptr<tensorflow::data::SplitProvider> provider,
                         const std::shared_ptr<DatasetRows>& rows,
                         const StreamOptions& options)
    : provider_(std::move(provider)),
      options_(options),
      cursor_(MakeCursor({rows}, options, /*first_epoch=*/0)) {}

absl::Status SplitReader::Next(Batch* batch, bool* end) {
  for (;;) {
    if (!stream_) TF_RETURN_IF_ERROR(NextWindow());
    *end = !stream_;
    if (*end) return absl::OkStatus();
    bool window_end = false;
    TF_RETURN_IF_ERROR(Pull(stream_.get(), batch, &window_end));
    if (window_end) {
      const std::lock_guard<std::mutex> lock(mutex_);
      stream_.reset();
    } else if (IsDeliveredFromSplit(batch->num_rows, options_.delivery)) {
      return absl::OkStatus();
    }
  }
}

absl::Status SplitReader::NextWindow() {
  tensorflow::Tensor tensor;
  bool end = false;
  TF_RETURN_IF_ERROR(provider_->GetNext(&tensor, &end));
  if (end) return absl::OkStatus();
  EpochSplit split;
  TF_RETURN_IF_ERROR(SplitFromTensor(tensor, &split));
  std::shared_ptr<BatchStream> stream;
  TF_RETURN_IF_ERROR(OpenWindow(split, &stream));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (cancelled_) return absl::CancelledError("The iterator was cancelled");
  stream_ = std::move(stream);
  return absl::OkStatus();
}

absl::Status SplitReader::OpenWindow(const EpochSplit& split,
                                     std::shared_ptr<BatchStream>* stream) const {
  ROWFEED_TF_ASSIGN_OR_RETURN(
      const SplitStream window,
      StreamOfSplit(split, options_, cursor_->rows()->MaxRows()));
  *stream = OpenStream(cursor_, window.options);
  return ToTensorFlow((*stream)->Restore(window.start));
}

void SplitReader::Cancel() {
  const std::lock_guard<std::mutex> lock(mutex_);
  cancelled_ = true;
  if (stream_) stream_->Cancel();
}

}  // namespace rowfeed::tfdata
