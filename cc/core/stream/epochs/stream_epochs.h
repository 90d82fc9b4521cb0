// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_STREAM_EPOCHS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_STREAM_EPOCHS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// A place in an epoch, and the rows of that epoch.
struct EpochPlace {
  Progress progress;
  SourceRows rows;
  int64_t num_rows = 0;  // how many rows the epoch has
};

// Decides which epochs an iteration goes through.
class StreamEpochs {
 public:
  using Cancelled = DatasetRows::Cancelled;

  // `options` must outlive this object.
  StreamEpochs(std::shared_ptr<Cursor> cursor, const StreamOptions* options)
      : cursor_(std::move(cursor)), options_(options) {}

  // Returns the place of `progress` with the rows of its epoch. They are listed and
  // counted unless they are known.
  Result<EpochPlace> List(const Progress& progress, const Cancelled& cancelled) const;
  // Whether the iteration goes on after the epoch of `place`. An epoch without rows is
  // not followed by another: that would never end. Nor is one without batches, but for
  // a rank that has none where other ranks have some.
  bool HasNext(const EpochPlace& place) const;
  // Returns the epoch to read ahead while the epoch of `progress` is delivered.
  std::optional<int64_t> Ahead(const Progress& progress) const;
  // Returns the place where the cursor's next epoch begins, which `claim` takes.
  // `last`: where the iteration was, if it has begun.
  Result<EpochPlace> Next(const EpochPlace& last,
                          const std::function<Progress()>& claim,
                          const Cancelled& cancelled) const;

 private:
  bool IsLast(const Progress& progress) const;

  const std::shared_ptr<Cursor> cursor_;
  const StreamOptions* const options_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_STREAM_EPOCHS_H_
