// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/batch_stream.h"

#include <utility>

#include "core/guarded.h"
#include "core/stream/pipeline/iteration.h"

namespace rowfeed {

std::unique_ptr<BatchStream> BatchStream::Make(std::shared_ptr<Cursor> cursor,
                                               const StreamOptions& options) {
  return std::unique_ptr<BatchStream>(
      new BatchStream(std::make_unique<Iteration>(std::move(cursor), options)));
}

BatchStream::BatchStream(std::unique_ptr<Iteration> iteration)
    : iteration_(std::move(iteration)) {}

BatchStream::~BatchStream() { iteration_->Close(); }

Result<BatchStream::Pull> BatchStream::Next(std::chrono::milliseconds timeout,
                                            Batch* batch,
                                            const Cancelled& interrupted) {
  return RunGuarded([&] { return iteration_->Next(timeout, batch, interrupted); });
}

Result<int64_t> BatchStream::Skip(int64_t num_batches) {
  return RunGuarded([&] { return iteration_->Skip(num_batches); });
}

Status BatchStream::Restore(const Progress& progress) {
  return RunGuarded([&] { return iteration_->Restore(progress); });
}

Progress BatchStream::progress() const { return iteration_->progress(); }
bool BatchStream::is_running() const { return iteration_->is_running(); }
void BatchStream::Add(Count count, int64_t n) { iteration_->Add(count, n); }
void BatchStream::Cancel() { iteration_->Cancel(); }
void BatchStream::Close() { iteration_->Close(); }
const std::vector<Output>& BatchStream::outputs() const {
  return iteration_->outputs();
}

}  // namespace rowfeed
