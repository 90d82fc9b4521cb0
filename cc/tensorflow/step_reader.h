// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_STEP_READER_H_
#define ROWFEED_TENSORFLOW_STEP_READER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "core/catalog/catalog.h"
#include "core/stream/batch_stream.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/dataset_params.h"

namespace rowfeed::tfdata {

// Reads any step of an iteration that would begin at the first epoch. It has a cursor
// of its own, so that it takes no epoch from other iterations. Reading steps in
// ascending order decodes each window once. Going back decodes a window again.
// Thread-safe.
class StepReader {
 public:
  // `params` must outlive this object.
  explicit StepReader(const DatasetParams* params) : params_(*params) {}

  // Appends what step `step` delivers to `*element`. There must be such a step.
  absl::Status Read(const SourceRows& sources, int64_t step,
                    std::vector<tensorflow::Tensor>* element);

 private:
  absl::Status Open(const SourceRows& sources, int64_t step);
  absl::Status Skip(int64_t num_steps);

  const DatasetParams& params_;
  std::mutex mutex_;
  std::shared_ptr<BatchStream> stream_;
  int64_t next_step_ = 0;  // the step that stream_ delivers next
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_STEP_READER_H_
