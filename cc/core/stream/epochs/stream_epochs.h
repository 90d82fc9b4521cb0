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

// A place in an epoch, and the rows that the epoch is of.
struct EpochPlace {
  Progress progress;
  SourceRows rows;
  int64_t num_rows = 0;  // an epoch of these
};

// Which epochs an iteration goes through.
class StreamEpochs {
 public:
  using Cancelled = DatasetRows::Cancelled;

  // `options` must outlive this.
  StreamEpochs(std::shared_ptr<Cursor> cursor, const StreamOptions* options)
      : cursor_(std::move(cursor)), options_(options) {}

  // The rows of the epoch of `progress`, which are listed and counted if no one has
  // yet.
  Result<EpochPlace> List(const Progress& progress, const Cancelled& cancelled) const;
  // Whether the iteration goes on behind the epoch of `place`. One without batches is
  // not repeated for ever.
  bool HasNext(const EpochPlace& place) const;
  // What to read ahead of that epoch's end.
  std::optional<int64_t> Ahead(const Progress& progress) const;
  // The cursor's next epoch, which `claim` takes. `last`: where the iteration was, if
  // it has begun.
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
