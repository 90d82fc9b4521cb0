// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_DIRECT_GATHER_H_
#define ROWFEED_CORE_STREAM_WINDOW_DIRECT_GATHER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/window_split.h"
#include "core/decode/blocks/column_block.h"
#include "core/plan/delivery.h"
#include "core/status.h"
#include "core/stream/window/whole_columns.h"
#include "core/stream/window/window_blocks.h"
#include "core/stream/window/window_buckets.h"
#include "core/stream/window/window_reader.h"
#include "core/stream/window/window_sink.h"
#include "core/stream/window/window_tasks.h"

namespace rowfeed {

// The sink of a window whose batches exist when it is loaded. One task reads,
// decompresses, decodes and gathers one column chunk, while the decoded values are
// still in the CPU's caches. Rows of a part of fixed size are copied straight into the
// batches. A part of variable size writes only the lengths of its rows there. Its
// decoded blocks are kept until a batch knows its offsets and calls GatherUnits.
//
// One task decodes a narrow column for all pieces of the window, because rows of
// several pieces share each cache line of a batch: the line is then written only once.
// The same holds for strings that are referred to (Part::is_referred_to). Where the
// values of a window are larger than the CPU's caches, numbers and references are
// gathered through buckets, if enough columns share these.
class DirectGather final : public WindowSink {
 public:
  // `reader` and `runs` must outlive this object.
  DirectGather(const WindowReader* reader, const std::vector<Run>* runs,
               std::vector<Place> places);

  int64_t HeldBytes() const override;
  size_t num_tasks() const override { return tasks_.size(); }
  // Allocates the arenas of the batches, too.
  Status Prepare(std::vector<uint32_t> permutation,
                 std::vector<std::shared_ptr<BatchBuilder>> builders) override;
  Status RunTask(size_t task, const std::atomic<bool>& cancelled) override;
  void LeaveBuilders() override { builders_.clear(); }
  // Does nothing, because tasks have gathered all rows and lengths.
  Status GatherRun(size_t run, BatchBuilder* builder,
                   int64_t* column_ns) const override;
  Status GatherUnits(size_t run, BatchBuilder* builder,
                     int64_t* column_ns) const override;

 private:
  // The three ways of GatherWay.
  Status GatherPiece(size_t spec, size_t piece, const std::atomic<bool>& cancelled);
  Status GatherWindow(size_t spec, const std::atomic<bool>& cancelled);
  Status GatherBuckets(size_t spec, const std::atomic<bool>& cancelled);

  void MarkLostRows() const;
  // Returns for each row of a piece where the batches want it. Empty if the part is
  // variable or narrower than kWideRowBytes.
  std::vector<uint8_t*> PlacesOf(size_t part, size_t piece) const;
  Status GatherPart(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block);
  std::vector<BatchBuilder::Slots> SlotsOf(size_t part) const;
  // Copies the rows of all runs to their batches. `rows` has the rows of the whole
  // window.
  void GatherRuns(size_t part, const uint8_t* rows) const;

  const WindowReader& reader_;
  const std::vector<Run>& runs_;
  const bool has_buckets_;
  const WindowTasks tasks_;
  WholeColumns columns_;
  WindowBlocks blocks_;        // the blocks of variable parts
  std::vector<Place> places_;  // cleared by Prepare
  std::vector<std::shared_ptr<BatchBuilder>> builders_;
  std::vector<uint32_t> permutation_;
  std::optional<WindowBuckets> buckets_;
  std::optional<WindowSplit> split_;  // for columns that are decoded piece by piece
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_DIRECT_GATHER_H_
