// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_DELIVERY_H_
#define ROWFEED_CORE_PLAN_DELIVERY_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <tuple>
#include <vector>

#include "core/enum_table.h"
#include "core/export.h"
#include "core/fields.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"

namespace rowfeed {

// What happens to the last rows of an epoch, which do not fill a global batch.
enum class Remainder : uint8_t {
  kDrop,    // the rows are not delivered
  kPad,     // the batch is filled up with rows marked as not valid
  kWrap,    // the batch is filled up with the first rows of the epoch
  kUneven,  // the last batch is short; some ranks may have one step less
};

template <>
struct EnumTable<Remainder> {
  static constexpr auto kWhat = "remainder";
  static constexpr std::array kNames = {"drop", "pad", "wrap", "uneven"};
};

// Says which rank gets which rows of the global stream. These options may change
// between saving a state and resuming from it.
struct ROWFEED_EXPORT DeliveryOptions {
  int64_t batch_size = 1;  // number of rows of one rank's batch
  int64_t rank = 0;
  int64_t world_size = 1;
  Remainder remainder = Remainder::kUneven;
  // The epoch ends at this row of the global stream, if it has so many: for readers of
  // a part of an epoch.
  int64_t end_row = std::numeric_limits<int64_t>::max();

  // Limits that keep counts of rows from overflowing: rows of an arena are numbered
  // with 32 bits. Python's checks of these options ask for them here.
  static constexpr int64_t kMaxBatchSize = std::numeric_limits<int32_t>::max();
  static constexpr int64_t kMaxWorldSize = int64_t{1} << 20;

  static constexpr auto Fields() {
    return std::tuple(
        Field{"batch_size", &DeliveryOptions::batch_size}.In(1, kMaxBatchSize),
        Field{"rank", &DeliveryOptions::rank}.AtLeast(0),
        Field{"world_size", &DeliveryOptions::world_size}.In(1, kMaxWorldSize),
        Field{"remainder", &DeliveryOptions::remainder},
        Field{"end_row", &DeliveryOptions::end_row}.Internal());
  }
  int64_t global_batch() const { return batch_size * world_size; }
  Status Validate() const;
};

// Returns the number of batches that one rank gets from an epoch of `num_rows` rows,
// beginning at row `start_row` of the global stream.
ROWFEED_EXPORT int64_t BatchesPerEpoch(int64_t num_rows, int64_t start_row,
                                       const DeliveryOptions& options);
// Returns the row of the global stream at which step number `step` begins; num_rows
// after the last step. Steps are counted from `start_row`. The result is the same on
// every rank.
ROWFEED_EXPORT int64_t RowOfStep(int64_t num_rows, int64_t start_row, int64_t step,
                                 const DeliveryOptions& options);

// One use of a window by this rank. Lap 0 is the epoch itself. With remainder="wrap"
// the global stream continues with the epoch's first rows again, which is lap 1 and
// later ones.
struct WindowVisit {
  Window window;
  int64_t lap;
  // The first of this rank's rows in the window, numbered in the global stream across
  // all laps.
  int64_t first_row;
  size_t source = 0;
  int64_t source_lap = 0;  // lap of the source, see StreamPlan::Lap
  // The plan that the window belongs to.
  std::shared_ptr<const EpochPlan> plan = nullptr;
};

// Says where one row of a window goes: its position in the window, and its slot (row
// number) in an arena.
struct Place {
  uint32_t position;
  uint32_t slot;
};

// The rows of a window that go to one arena. For i in [0, count), position begin + i *
// step of the window goes to slot slot_begin + i * slot_step of arena number `arena`.
// In a mixture such rows are not at equal distances: there a run is `count` Places,
// from number `begin` on.
struct Run {
  int64_t arena;
  int64_t begin;
  int64_t step;
  int64_t count;
  int64_t slot_begin;
  int64_t slot_step;
};

// Computes, without reading any data, the batches of one rank from row `start_row` of
// an epoch to its end. Consecutive batches share an arena, the memory in which they lie
// end to end. An arena has `max_per_arena` batches, or fewer, so that no arena must
// wait for many windows and keep them in memory.
class ROWFEED_EXPORT Delivery {
 public:
  Delivery(const StreamPlan* plan, int64_t start_row, const DeliveryOptions& options,
           int64_t max_per_arena = 1);

  // Number of batches of this rank.
  int64_t num_batches() const { return num_batches_; }
  int64_t num_arenas() const;
  // Number of batches in an arena; the last arena may have fewer.
  int64_t batches_per_arena() const { return batches_per_arena_; }
  int64_t arena_rows() const { return options_.batch_size * batches_per_arena_; }
  // Number of this rank's rows in an arena that come from the data set.
  int64_t ValidRows(int64_t arena) const;
  // Number of this rank's rows in an arena with fill rows: all batches are full, except
  // a short last batch.
  int64_t ArenaRows(int64_t arena) const;
  // The row of the global stream at which an arena ends. Full size is assumed, even if
  // the arena has fewer rows.
  int64_t ArenaEnd(int64_t arena) const {
    return start_row_ + (arena + 1) * global_arena();
  }
  // Number of arenas that end at or before row `row` of the global stream.
  int64_t NumArenasBefore(int64_t row) const {
    return std::min((row - start_row_) / global_arena(), num_arenas());
  }
  // Returns the position in the global stream after batch number `batch`. Every rank
  // can resume from this row.
  int64_t PositionAfter(int64_t batch) const;

  // Returns the runs of a window, ordered by arena. For a mixture, their places are
  // appended to `places`; for a single data set it is not used.
  std::vector<Run> Runs(const WindowVisit& visit, std::vector<Place>* places) const;

 private:
  friend class WindowSchedule;
  int64_t FirstOwnRow(int64_t row) const;
  bool IsOwn(int64_t row) const { return FirstOwnRow(row) == row; }
  std::vector<Run> MixtureRuns(const WindowVisit& visit,
                               std::vector<Place>* places) const;
  // Number of batches in an arena: batches_per_arena, or fewer in the last one.
  int64_t BatchesIn(int64_t arena) const;
  // Number of rows of the global stream from one arena to the next.
  int64_t global_arena() const { return options_.global_batch() * batches_per_arena_; }

  const StreamPlan* plan_;
  int64_t start_row_;
  DeliveryOptions options_;
  int64_t batches_per_arena_;
  int64_t num_batches_;
  int64_t end_row_;  // end of the rows delivered, across all laps
};

// Lists the windows of a Delivery in the order in which this rank first needs them.
class ROWFEED_EXPORT WindowSchedule {
 public:
  explicit WindowSchedule(const Delivery* delivery);

  bool done() const { return next_.empty(); }
  const WindowVisit& next() const { return next_.top(); }
  void Pop();

 private:
  struct Later {
    bool operator()(const WindowVisit& a, const WindowVisit& b) const {
      return a.first_row > b.first_row;
    }
  };
  // The position of one source of a mixture within a lap of the epoch. A single data
  // set counts as one source.
  struct SourceWalk {
    int64_t lap = 0;  // the source's current lap
    // The row of the source's own stream at which this lap of the epoch ends.
    int64_t end_row = 0;
    // The plan of the source's current lap.
    std::shared_ptr<const EpochPlan> plan = nullptr;
    int num_queued = 0;
  };

  // Begins the next laps of the epoch, until one has rows of this rank.
  void FillUp();
  // Queues the first windows of a source, from row `row` of its own stream on: one of
  // each lane in the lap that the row is in, or in the next lap that has rows of this
  // rank.
  void FillSource(size_t source, int64_t row);
  // Returns after how many rows of a source's lane the pattern of this rank's rows
  // repeats. In a single data set, one in world / gcd(world, lanes) rows of a lane is
  // this rank's. In a mixture it is as often on average, but a lane's pattern may have
  // no row of this rank.
  int64_t Cycle(size_t source) const;
  // Queues the window of `lane` that holds this rank's first row from row `row` of the
  // lane on.
  void Queue(size_t source, int64_t lane, int64_t row);

  const Delivery* delivery_;
  int64_t lap_ = 0;
  std::vector<SourceWalk> sources_;
  std::priority_queue<WindowVisit, std::vector<WindowVisit>, Later> next_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_DELIVERY_H_
