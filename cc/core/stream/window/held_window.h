// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_HELD_WINDOW_H_
#define ROWFEED_CORE_STREAM_WINDOW_HELD_WINDOW_H_

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
#include "core/stream/window/window_reader.h"
#include "core/stream/window/window_sink.h"
#include "core/stream/window/window_tasks.h"

namespace rowfeed {

// The sink of a window of a mixture, which is only decoded when it is loaded. A source
// with a small weight has rows in batches that come much later, and there is no memory
// to allocate all of these now. So all parts are kept as blocks, and each batch gathers
// its rows when it is assembled, by GatherRun and then GatherUnits.
//
// One task decodes a narrow column for the whole window. It keeps the rows that batches
// want in the order in which they will want them, run by run.
class HeldWindow final : public WindowSink {
 public:
  // `reader` and `runs` must outlive this object.
  HeldWindow(const WindowReader* reader, const std::vector<Run>* runs,
             std::vector<Place> places);

  // The rows of all fixed parts are among these bytes.
  int64_t HeldBytes() const override;
  size_t num_tasks() const override { return tasks_.size(); }
  // `builders` is empty, because the batches are made later.
  Status Prepare(std::vector<uint32_t> permutation,
                 std::vector<std::shared_ptr<BatchBuilder>> builders) override;
  Status RunTask(size_t task, const std::atomic<bool>& cancelled) override;
  void LeaveBuilders() override {}
  Status GatherRun(size_t run, BatchBuilder* builder,
                   int64_t* column_ns) const override;
  Status GatherUnits(size_t run, BatchBuilder* builder,
                     int64_t* column_ns) const override;

 private:
  Status HoldPiece(size_t spec, size_t piece, const std::atomic<bool>& cancelled);
  Status HoldPart(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block);
  Status HoldColumn(size_t spec, const std::atomic<bool>& cancelled);
  // Keeps the rows of a part that batches want. `rows` has those of the whole window.
  Status HoldWhole(size_t part, const uint8_t* rows);
  // Copies the rows of one run into its batch: those of whole columns, and those of
  // columns that were decoded piece by piece.
  Status GatherWhole(size_t run, BatchBuilder* builder) const;
  Status GatherPieces(const WindowSplit::Segment& segment, BatchBuilder* builder) const;
  // For columns that are decoded piece by piece. Whether the rows of a fixed part are
  // held as a copy of those that batches want, in the order of split_. The copy is made
  // while the decoded rows are in the CPU's caches.
  bool IsCopied(size_t part, size_t piece) const;
  Result<std::unique_ptr<ColumnBlock>> CopyWanted(size_t part, size_t piece,
                                                  const FixedBlock& block) const;

  const WindowReader& reader_;
  const std::vector<Run>& runs_;
  const WindowTasks tasks_;
  WholeColumns columns_;
  // The blocks of a column that is decoded as a whole stand at piece 0.
  WindowBlocks blocks_;
  std::vector<Place> places_;         // cleared by Prepare
  std::optional<WindowSplit> split_;  // for columns that are decoded piece by piece
  // For columns that are decoded as a whole: the window is one piece.
  std::optional<WindowSplit> whole_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_HELD_WINDOW_H_
