// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BATCH_BUILDER_H_
#define ROWFEED_CORE_BATCH_BATCH_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/batch/batch.h"
#include "core/batch/string_references.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/part.h"
#include "core/io/buffer_pool.h"
#include "core/plan/delivery.h"
#include "core/status.h"

namespace rowfeed {

// One batch while it is being filled. Many threads at once gather rows of fixed parts,
// and lengths of variable ones, straight into its arena. Each slot is written by one
// thread. When all of them are there, the lengths become offsets, and the units of
// variable parts are gathered. For strings that are referred to (Part::is_referred_to),
// references are gathered first, in the place of offsets.
//
// Where rows of several lanes alternate in a batch, the rows of one window are only a
// few bytes in each cache line of a narrow part, and each line would be fetched once
// per lane. So the rows of one lane first lie side by side, in a strip. When all rows
// are there, the strips are interleaved in place.
class BatchBuilder {
 public:
  // Slots [valid_rows, rows) are fill: zeros, or empty rows. `parts` must outlive the
  // builder. Slot s belongs to lane s % num_lanes.
  BatchBuilder(const std::vector<Part>* parts, int64_t rows, int64_t valid_rows,
               bool with_valid, int64_t num_lanes, std::shared_ptr<BufferPool> pool);

  // Returns the size of the arena of a batch of `rows` rows, without the units of
  // variable parts; kTooManyBytes if no memory is that large.
  static constexpr int64_t kTooManyBytes = int64_t{1} << 60;
  static int64_t ArenaBytes(const std::vector<Part>& parts, int64_t rows);

  // Allocates the arena. The first call does it, and concurrent calls wait. Before that
  // the builder takes next to no memory, because the builders of a whole window are
  // made at once.
  Status Allocate();

  // Marks these slots as fill. This function and the gathering functions below need
  // Allocate first. They are thread-safe for distinct slots.
  void MarkFill(const uint32_t* slots, int64_t num_slots);
  Status GatherFixed(size_t part, const FixedBlock& block, const Selection& selection);
  // Where the rows of a run go, in a part that a window gathers as a whole: the first
  // row to `begin`, and each row `step` rows after the one before.
  struct Slots {
    uint8_t* begin;
    int64_t step;
  };
  Slots SlotsOf(size_t part, const Run& run) const;
  // Sets places[selection.rows[i]] to where that row goes, in a part that is wider than
  // a cache line.
  void FindPlaces(size_t part, const Selection& selection, uint8_t** places) const;
  void GatherLengths(size_t part, const VariableBlock& block, const RowRun& run);

  // Whether there is more to do before Finish, once all rows and lengths are there.
  bool NeedsAssembly() const;
  // Makes offsets of the lengths, and allocates memory for units, stacks and strings.
  // Call it when all lengths and references are there.
  Status AllocateUnits();
  Status GatherUnits(size_t part, const VariableBlock& block, const RowRun& run);
  // Makes offsets of the lengths among the units (parts of Part::Kind::kLengths). Call
  // it when all units are there.
  void SumLengths();
  // Interleaves the strips, and replaces references by the strings that they point to.
  // Call it when all rows are there.
  Status InterleaveStrips();
  // When the rows of the batch are delivered. Where batches share an arena,
  // `first_step` is the step of the first one, and each has `rows_per_step` rows.
  struct Moment {
    int64_t epoch = 0;
    int64_t first_step = 0;
    int64_t rows_per_step = 1;
  };
  // Fills the parts that say when rows are delivered. Call it after InterleaveStrips.
  void FillMoments(const Moment& moment);
  // Fills the stacks from their members. Call it after FillMoments.
  void FillStacks();

  // Returns the batch. Call it once, after everything else: the builder keeps nothing.
  Batch Finish();

  int64_t num_bytes() const;

 private:
  struct Memory {
    Buffer arena;
    Buffer units;
  };

  const std::vector<Part>* parts_;
  const int64_t valid_rows_;
  const bool with_valid_;
  const int64_t num_lanes_;  // 1: there are no strips
  const int64_t strip_rows_;
  const std::shared_ptr<BufferPool> pool_;
  // Not std::call_once: it wakes waiting threads, which is a system call for each
  // batch.
  std::mutex allocate_mutex_;
  std::optional<Status> allocate_status_;  // set by the first Allocate
  Status DoAllocate();
  bool IsStrips(const Part& part) const;
  int64_t StripBytes(const Part& part) const;
  // Returns how many bytes the part takes in the arena.
  int64_t RoomOf(const Part& part) const;
  // Returns where the rows of a part, or its strips, are gathered.
  uint8_t* RowsOf(size_t part) const;
  // Returns the index of a slot within the strips.
  uint32_t StripPlace(int64_t slot) const;
  int64_t SumRows(int64_t* offsets) const;
  // `rows`: the references of the part, or a copy of them.
  StringReferences ReferencesOf(size_t part, const uint8_t* rows) const;
  void CopyStrings(size_t part, uint8_t* scratch);
  void InterleavePart(size_t part, uint8_t* scratch);
  std::shared_ptr<Memory> memory_;  // null until Allocate
  Batch batch_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_BUILDER_H_
