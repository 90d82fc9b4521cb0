// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_EPOCH_SPLITS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_EPOCH_SPLITS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/export.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// A split: one window of the plan of an epoch, which one reader reads. It has all that
// a reader needs, so that readers need no plan.
struct EpochSplit {
  int64_t epoch = 0;
  int64_t lane = 0;
  int64_t begin = 0;  // rows [begin, end) of the lane
  int64_t end = 0;

  // The form in which a split goes to other processes.
  using Numbers = std::array<int64_t, 4>;
  Numbers ToNumbers() const { return {epoch, lane, begin, end}; }
  static EpochSplit FromNumbers(const Numbers& numbers) {
    return {numbers[0], numbers[1], numbers[2], numbers[3]};
  }
};

// The stream that delivers the rows of one split, and the place where it starts.
struct SplitStream {
  StreamOptions options;
  Progress start;
};

// Returns the stream of a split of a data set that has `max_rows` rows at most.
// kInvalid: the split may come from anywhere, and is not one of this data set.
ROWFEED_EXPORT Result<SplitStream> StreamOfSplit(const EpochSplit& split,
                                                 const StreamOptions& options,
                                                 int64_t max_rows);

// Whether a reader delivers a batch of `num_rows` rows that the stream of a split has
// made. The last batch of a split may be short, and remainder="drop" leaves it out.
ROWFEED_EXPORT bool IsDeliveredFromSplit(int64_t num_rows,
                                         const DeliveryOptions& delivery);

// Lists the windows of `options.num_epochs` epochs, each once, in about the order in
// which one iteration would read them. They are computed from the number of rows of
// each row group, so that no file is read. Not thread-safe.
class ROWFEED_EXPORT EpochSplits {
 public:
  // Where a list stands. Its windows are counted within the epoch.
  struct Position {
    int64_t begin_epoch = 0;  // the first epoch since the last Reset
    int64_t epochs_done = 0;  // epochs listed since the last Reset
    int64_t next_window = 0;
  };

  EpochSplits(StreamOptions options, EpochRows rows, int64_t first_epoch)
      : options_(std::move(options)),
        rows_(std::move(rows)),
        position_{first_epoch, 0, 0} {}

  // Sets `*split` to the next split and returns true; returns false after the last one.
  // Without rows, even endless epochs end.
  bool Next(EpochSplit* split);
  // Goes on with the next epoch, as the next iteration would.
  void Reset();

  const Position& position() const { return position_; }
  // Goes on at a position that another list of the same data had. kInvalid: no list has
  // such a position; this one stays where it is.
  Status Restore(const Position& position);

 private:
  void LoadEpoch();

  const StreamOptions options_;
  const EpochRows rows_;
  Position position_;
  bool loaded_ = false;
  // The windows of epoch begin_epoch + epochs_done, if loaded_.
  std::vector<Window> windows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_EPOCH_SPLITS_H_
