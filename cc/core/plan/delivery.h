// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_DELIVERY_H_
#define ROWFEED_CORE_PLAN_DELIVERY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <vector>

#include "core/plan/epoch_plan.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"

namespace rowfeed {

// What happens to the rows that do not fill the last global batch of an epoch.
enum class Remainder : uint8_t {
  kDrop,    // they are not delivered
  kPad,     // the batch is filled up with rows that are not valid
  kWrap,    // the batch is filled up with the epoch's first rows
  kUneven,  // the batch is short; ranks may end one step apart
};

// Who gets which rows of the global stream. Free to change between save and resume.
struct DeliveryOptions {
  int64_t batch_size = 1;  // rows per rank
  int64_t rank = 0;
  int64_t world_size = 1;
  Remainder remainder = Remainder::kUneven;
  // The epoch ends here, if it has as many rows: for readers of a part of it.
  int64_t end_row = std::numeric_limits<int64_t>::max();

  // So that no count of rows overflows: rows of an arena are numbered by 32 bits.
  static constexpr int64_t kMaxBatchSize = std::numeric_limits<uint32_t>::max();
  static constexpr int64_t kMaxWorldSize = int64_t{1} << 20;

  int64_t global_batch() const { return batch_size * world_size; }
  Status Validate() const;
};

// Batches that one rank gets of an epoch of `num_rows` rows, from row `start_row` on.
int64_t BatchesPerEpoch(int64_t num_rows, int64_t start_row,
                        const DeliveryOptions& options);
// The row of the global stream at which step `step` begins, steps counted from
// `start_row`; num_rows behind the last. The same on every rank.
int64_t RowOfStep(int64_t num_rows, int64_t start_row, int64_t step,
                  const DeliveryOptions& options);

// A window that this rank needs, and from which lap: lap 0 is the epoch;
// remainder="wrap" comes round to the epoch's first rows again, in lap 1 and later.
struct WindowVisit {
  Window window;
  int64_t lap;
  int64_t first_row;  // of this rank's rows in it, counted in laps of the global stream
  size_t source = 0;
  int64_t source_lap = 0;                           // as of StreamPlan::Lap
  std::shared_ptr<const EpochPlan> plan = nullptr;  // that it is a window of
};

// Where one row of a window goes: its position in the window and a slot of an arena.
struct Place {
  uint32_t position;
  uint32_t slot;
};

// Rows of a window that go to one arena: for i in [0, count), position begin + i * step
// of the window becomes slot slot_begin + i * slot_step of arena `arena`. In a mixture
// they are not at equal distances: there it is `count` places from place `begin` on.
struct Run {
  int64_t arena;
  int64_t begin;
  int64_t step;
  int64_t count;
  int64_t slot_begin;
  int64_t slot_step;
};

// The batches of one rank from row `start_row` of one epoch to its end, as arithmetic.
// Batches are made in arenas of consecutive ones, end to end: `max_per_arena`, or so
// few that none waits for many windows and holds them.
class Delivery {
 public:
  Delivery(const StreamPlan* plan, int64_t start_row, const DeliveryOptions& options,
           int64_t max_per_arena = 1);

  // Batches of this rank.
  int64_t num_batches() const { return num_batches_; }
  int64_t num_arenas() const;
  // The last may have fewer.
  int64_t batches_per_arena() const { return batches_per_arena_; }
  int64_t arena_rows() const { return options_.batch_size * batches_per_arena_; }
  // Rows of arena a on this rank that come from the data set.
  int64_t ValidRows(int64_t arena) const;
  // Rows of arena a with fill: those of full batches, except for a short last batch.
  int64_t ArenaRows(int64_t arena) const;
  // The global stream's row behind arena a, also where it has fewer rows.
  int64_t ArenaEnd(int64_t arena) const {
    return start_row_ + (arena + 1) * global_arena();
  }
  // Arenas that end before row `row` of the global stream or with it.
  int64_t NumArenasBefore(int64_t row) const {
    return std::min((row - start_row_) / global_arena(), num_arenas());
  }
  // Where the global stream stands after batch k: a row that any rank resumes from.
  int64_t PositionAfter(int64_t batch) const;

  // In the order of arenas. `places`, to which those of a mixture are appended, stays
  // empty where there is one data set.
  std::vector<Run> Runs(const WindowVisit& visit, std::vector<Place>* places) const;

 private:
  friend class WindowSchedule;
  int64_t FirstOwnRow(int64_t row) const;
  bool IsOwn(int64_t row) const { return FirstOwnRow(row) == row; }
  std::vector<Run> MixtureRuns(const WindowVisit& visit,
                               std::vector<Place>* places) const;
  // Batches in arena a: batches_per_arena, except in the last.
  int64_t BatchesIn(int64_t arena) const;
  // Rows of the global stream from one arena to the next.
  int64_t global_arena() const { return options_.global_batch() * batches_per_arena_; }

  const StreamPlan* plan_;
  int64_t start_row_;
  DeliveryOptions options_;
  int64_t batches_per_arena_;
  int64_t num_batches_;
  int64_t end_row_;  // of the rows delivered, laps included
};

// The windows of a Delivery in the order in which they are first needed.
class WindowSchedule {
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
  // Where one source stands in a lap of the epoch.
  struct SourceWalk {
    int64_t lap = 0;      // of its own
    int64_t end_row = 0;  // of its own stream: behind its last row in this lap
    std::shared_ptr<const EpochPlan> plan = nullptr;  // of its own lap
    int num_queued = 0;
  };

  // Begins with laps of the epoch until one has own rows.
  void FillUp();
  // Queues the first windows of a source from its own row `row` on: of each lane in its
  // lap, or in the next that has own rows.
  void FillSource(size_t source, int64_t row);
  // Rows of a lane of a source after which those that are own repeat themselves. Of a
  // data set one in world / gcd(world, lanes) is own. Of a source it is as often in the
  // mean, but the pattern may never give it one.
  int64_t Cycle(size_t source) const;
  // Queues the window of `lane` that holds the first own row from row `row` on.
  void Queue(size_t source, int64_t lane, int64_t row);

  const Delivery* delivery_;
  int64_t lap_ = 0;
  std::vector<SourceWalk> sources_;
  std::priority_queue<WindowVisit, std::vector<WindowVisit>, Later> next_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_DELIVERY_H_
