// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/step_reader.h"

#include "absl/strings/str_cat.h"
#include "core/stream/epochs/iteration_steps.h"
#include "core/stream/open_streams.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/element.h"
#include "tensorflow/lying_files.h"
#include "tensorflow/pull.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {

absl::Status StepReader::Read(const SourceRows& sources, int64_t step,
                              std::vector<tensorflow::Tensor>* element) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool forward = stream_ && step >= next_step_;
  absl::Status found = forward ? Skip(step - next_step_) : Open(sources, step);
  if (!found.ok()) {
    stream_.reset();
    return found;
  }
  Batch batch;
  bool end = false;
  found = Pull(stream_.get(), &batch, &end);
  if (!found.ok()) {  // the stream may stand before the step or after it
    stream_.reset();
    return found;
  }
  next_step_ = step + 1;
  if (end) return absl::InternalError(absl::StrCat("There is no step ", step));
  MakeElement(params_.layout, stream_->outputs(), batch, element);
  return absl::OkStatus();
}

absl::Status StepReader::Skip(int64_t num_steps) {
  if (num_steps == 0) return absl::OkStatus();
  return ToTensorFlow(stream_->Skip(num_steps).status());
}

absl::Status StepReader::Open(const SourceRows& sources, int64_t step) {
  const StreamOptions& options = params_.options;
  // All epochs have the same number of steps; otherwise there would be no random
  // access.
  ROWFEED_TF_ASSIGN_OR_RETURN(const Progress place,
                              PlaceOfStep(options, sources, params_.first_epoch, step));
  LogLyingFiles(sources);
  stream_ = OpenStream(MakeCursor(sources, options, params_.first_epoch), options);
  TF_RETURN_IF_ERROR(params_.layout.CheckTypes(stream_->outputs(), params_.dtypes));
  return ToTensorFlow(stream_->Restore(place));
}

}  // namespace rowfeed::tfdata
