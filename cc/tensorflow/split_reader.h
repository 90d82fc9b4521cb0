// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_SPLIT_READER_H_
#define ROWFEED_TENSORFLOW_SPLIT_READER_H_

#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "core/batch/batch.h"
#include "core/catalog/catalog.h"
#include "core/stream/batch_stream.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/epoch_splits.h"
#include "core/stream/options/options.h"
#include "tensorflow/core/framework/dataset.h"

namespace rowfeed::tfdata {

// Delivers the batches of the windows that a split provider gives to this reader. A
// batch has rows of one window only, so that each window ends as an epoch would. One
// thread calls Next at a time; Cancel may be called from any thread.
class SplitReader {
 public:
  SplitReader(std::shared_ptr<tensorflow::data::SplitProvider> provider,
              const std::shared_ptr<DatasetRows>& rows, const StreamOptions& options);

  absl::Status Next(Batch* batch, bool* end);
  void Cancel();

 private:
  // Sets stream_ to the stream of the next window. After the last window it stays
  // nullptr.
  absl::Status NextWindow();
  absl::Status OpenWindow(const EpochSplit& split,
                          std::shared_ptr<BatchStream>* stream) const;

  const std::shared_ptr<tensorflow::data::SplitProvider> provider_;
  const StreamOptions options_;
  const std::shared_ptr<Cursor> cursor_;  // for this reader alone; it claims no epoch
  std::mutex mutex_;  // guards the members below, except for reads by Next
  std::shared_ptr<BatchStream> stream_;
  bool cancelled_ = false;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_SPLIT_READER_H_
