// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_EPOCH_SPLITS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_EPOCH_SPLITS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// One window of the plan of an epoch, which one of several readers reads. A split has
// all that the reader needs, so that readers need no plan.
struct EpochSplit {
  int64_t epoch = 0;
  int64_t lane = 0;
  int64_t begin = 0;  // rows [begin, end) of the lane
  int64_t end = 0;

  // Checks that a data set of at most `max_rows` rows may have such a split.
  // EpochSplits come from other processes.
  Status Validate(int64_t num_lanes, int64_t max_rows) const;
  // Returns the options of a stream whose only epoch ends with the split. `options` are
  // those of the whole data set. A short batch at the end is delivered, filled up if
  // the remainder is kPad.
  StreamOptions OptionsOf(const StreamOptions& options) const;
  // Returns where a stream with OptionsOf must begin, to deliver the rows of the split
  // alone.
  Progress Begin(int64_t num_lanes) const;

  bool operator==(const EpochSplit& other) const {
    return epoch == other.epoch && lane == other.lane && begin == other.begin &&
           end == other.end;
  }
};

// Hands out the windows of `num_epochs` epochs, each once, in about the order in which
// one iteration would read them. The windows are computed from the number of rows of
// each row group, so that no file is read.
class EpochSplits {
 public:
  // What must be saved to go on with the next split in another process.
  struct Place {
    int64_t begin_epoch = 0;  // the first epoch since the last Reset
    int64_t epochs_done = 0;  // epochs handed out since the last Reset
    int64_t next_window = 0;  // index of the next window of the epoch
  };

  // `options` must be those of one data set: a mixture has no splits.
  EpochSplits(const StreamOptions& options, EpochRows rows, int64_t first_epoch)
      : options_(options), rows_(std::move(rows)), place_{first_epoch, 0, 0} {}

  // Returns the next split; nullopt: all epochs were handed out.
  std::optional<EpochSplit> Next();
  // Goes on with the epoch after the one that was begun last, as the next iteration
  // would.
  void Reset();

  const Place& place() const { return place_; }
  // Goes to a place. kInvalid: no data set has such a place.
  Status Move(const Place& place);

 private:
  const std::vector<Window>& WindowsOfEpoch();

  const StreamOptions options_;
  const EpochRows rows_;
  Place place_;
  // The windows of epoch begin_epoch + epochs_done; nullopt: not computed yet.
  std::optional<std::vector<Window>> windows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_EPOCH_SPLITS_H_
