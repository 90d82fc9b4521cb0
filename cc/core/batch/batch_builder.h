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

// One batch while it fills. Rows of fixed parts, and lengths of variable ones, are
// gathered straight into its arena by many threads at once (each slot by one). When all
// are there, offsets are made of the lengths and the units of variable parts gathered.
// Of strings that are referred to, references are gathered, in the place of offsets.
//
// Where rows of several lanes take turns, those of one window are a few bytes in each
// cache line of a narrow part, and each line would be fetched once per lane. So the
// slots of a lane lie side by side at first, in a strip, and the strips are interleaved
// where they lie when all are there.
class BatchBuilder {
 public:
  // Slots [valid_rows, rows) are fill: zeros, empty. `parts` must outlive the builder.
  // Slot s is one of lane s % num_lanes.
  BatchBuilder(const std::vector<Part>* parts, int64_t rows, int64_t valid_rows,
               bool with_valid, int64_t num_lanes, std::shared_ptr<BufferPool> pool);

  // Bytes of the arena of a batch of `rows`, units of variable parts apart;
  // kTooManyBytes if there are more than any memory has.
  static constexpr int64_t kTooManyBytes = int64_t{1} << 60;
  static int64_t ArenaBytes(const std::vector<Part>& parts, int64_t rows);

  // Gets the arena; the first call does, the others wait for it. Until then the builder
  // takes next to nothing: those of a whole window are made at once.
  Status Allocate();

  // Says that these slots are fill. As all that follows: thread-safe for distinct
  // slots, after Allocate.
  void MarkFill(const uint32_t* slots, int64_t num_slots);
  Status GatherFixed(size_t part, const FixedBlock& block, const Selection& selection);
  // Where the rows of a run go in a part that a window gathers: each `step` rows behind
  // the one before.
  struct Slots {
    uint8_t* begin;
    int64_t step;
  };
  Slots SlotsOf(size_t part, const Run& run) const;
  // places[selection.rows[i]]: where that row of a part that is wider than a cache line
  // goes.
  void FindPlaces(size_t part, const Selection& selection, uint8_t** places) const;
  void GatherLengths(size_t part, const VariableBlock& block, const RowRun& run);

  // After all rows and lengths: whether there is more to do before Finish.
  bool NeedsAssembly() const;
  // After all lengths and references: makes the offsets of lengths, and room for the
  // units, stacks and strings.
  Status AllocateUnits();
  Status GatherUnits(size_t part, const VariableBlock& block, const RowRun& run);
  // After all units: makes offsets of the lengths among them.
  void SumLengths();
  // After all rows; puts strings in the place of references.
  Status InterleaveStrips();
  // After the strips.
  void FillStacks();

  // The batch, once, after all else. The builder keeps nothing.
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
  // Not std::call_once: it wakes those who wait, a call of the system for each batch.
  std::mutex allocate_mutex_;
  std::optional<Status> allocate_status_;  // once it was tried
  Status DoAllocate();
  bool IsStrips(const Part& part) const;
  int64_t StripBytes(const Part& part) const;
  // What the part takes in the arena.
  int64_t RoomOf(const Part& part) const;
  // Where rows that are gathered lie, or their strips.
  uint8_t* RowsOf(size_t part) const;
  // Where a slot lies in the strips.
  uint32_t StripPlace(int64_t slot) const;
  int64_t SumRows(int64_t* offsets) const;
  // `rows`: those of the part, or a copy.
  StringReferences ReferencesOf(size_t part, const uint8_t* rows) const;
  void CopyStrings(size_t part, uint8_t* scratch);
  void InterleavePart(size_t part, uint8_t* scratch);
  std::shared_ptr<Memory> memory_;  // once it is allocated
  Batch batch_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_BUILDER_H_
