// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/bucket_shuffle.h"
#include "core/batch/window_split.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/part.h"
#include "core/plan/blocks.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/options/gather_ways.h"
#include "core/stream/stats/timed_file.h"
#include "core/stream/window/stream_context.h"
#include "core/stream/window/window_fetch.h"

namespace rowfeed {

// The decoding of one window into the batches that its rows belong to. Its tasks are
// one column chunk each: read, decompress, decode and gather while the values are hot.
// Rows of fixed parts go straight to the batches; variable ones leave their lengths
// there and stay as blocks until the batch knows its offsets (GatherUnits).
// A narrow column is one task for all chunks of the window: rows of several chunks
// share each cache line of a batch, which is then written once. So are strings that are
// referred to. Numbers and references of a window that no cache holds go through
// buckets, if enough columns share them.
//
// Of a mixture, windows are only decoded: a source that comes seldom has rows in
// batches far ahead, and memory for all of those is not there. All parts stay as
// blocks, and each batch gathers its rows when it is made (GatherRows, then
// GatherUnits).
class WindowLoad {
 public:
  WindowLoad(std::shared_ptr<const StreamContext> context, const WindowVisit& visit,
             std::vector<Run> runs, std::vector<Place> places);

  const std::vector<Run>& runs() const { return runs_; }
  size_t num_tasks() const { return tasks_.size(); }
  // About how much it holds until its last batch is made: its variable columns; of a
  // mixture, all.
  int64_t HeldBytes() const;

  // Of remote files, before all else, and the checks beside it, as of WindowFetch.
  size_t num_fetch_tasks() const { return files_.num_tasks(); }
  int64_t fetched_bytes() const { return files_.num_bytes(); }
  Status RunFetchTask(size_t task, const Cancelled& cancelled);
  size_t num_checks() const { return files_.num_checks(); }
  Status RunCheck(size_t check, const Cancelled& cancelled) const;
  // After the last task.
  void DropFetched() { files_.Drop(); }

  // One for each piece, under a filter; none without. Before Prepare, in any order, at
  // once.
  size_t num_filter_tasks() const { return source().filtered ? pieces_.size() : 0; }
  Status RunFilterTask(size_t task, const std::atomic<bool>& cancelled);
  // Shuffles, and gets the arenas. Before any task. builders[i] receives runs()[i]; of
  // a mixture there are none yet.
  Status Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders);
  // Behind the last task: of batches that were dropped nothing stays.
  void LeaveBuilders() { builders_.clear(); }
  // Tasks run in any order, at once. They end soon after `cancelled` is set.
  Status RunTask(size_t task, const std::atomic<bool>& cancelled);
  // Of a mixture, after all tasks: the rows of fixed parts and the lengths of variable
  // ones, for one run. Adds to `column_ns` the time that it counts as of columns.
  Status GatherRows(size_t run, BatchBuilder* builder, int64_t* column_ns) const;
  // The units of every variable part for one run. After all tasks.
  Status GatherUnits(size_t run, BatchBuilder* builder, int64_t* column_ns) const;

 private:
  struct Task {
    size_t feature;
    std::optional<size_t> piece;  // nullopt: all of them
  };
  // Which rows of its row group a piece is.
  struct PieceRows {
    Interval rows;                   // that are decoded
    std::vector<uint32_t> selected;  // of them; empty: all
    bool is_lost = false;            // with their file
  };
  // Of a growing data set: keeps the file of a piece open while the window is loaded,
  // so that it stays whole, or finds that its rows are lost, and so fill.
  Status HoldFile(size_t piece);
  bool has_lost_rows() const;
  void MarkLostRows() const;
  Result<PartBlocks> FillBlocks(size_t feature, int64_t num_rows) const;
  int64_t window_rows() const { return window_.end - window_.begin; }
  // Rows that are decoded for a piece, about.
  int64_t DecodedRows(const Piece& piece) const;
  const StreamSource& source() const { return context_->sources[source_]; }
  size_t num_features() const { return source().layout.features.size(); }
  const TimedFile& file(size_t piece, size_t feature) const {
    return timed_files_[piece * (num_features() + 1) + feature];
  }
  bool is_held() const { return context_->options.mixture != nullptr; }
  int64_t VariableBytes() const;
  const ColumnBlock& block(size_t piece, size_t part) const {
    return *blocks_[piece * context_->layout.parts.size() + part];
  }
  // As of ChunkRequest.
  struct RowsOut {
    uint8_t* side_by_side = nullptr;
    uint8_t* const* places = nullptr;
  };
  // Decodes, and counts what it took.
  Result<PartBlocks> Decode(size_t piece, size_t feature,
                            const std::atomic<bool>& cancelled,
                            const RowsOut& out) const;
  Result<PartBlocks> DecodeRows(size_t piece, size_t feature,
                                const std::atomic<bool>& cancelled, const RowsOut& out,
                                int64_t* decompress_ns) const;
  // Refers to the rows of a piece, and keeps what that leads to.
  Status ReferToRows(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block,
                     uint8_t* references);
  // Where batches want each row of a wide part; none of other parts, or if they gather
  // the rows later.
  std::vector<uint8_t*> PlacesOf(size_t part, size_t piece) const;
  Status GatherPart(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block);
  Status GatherFeatureUnits(size_t feature, size_t run, BatchBuilder* builder) const;
  // Counts what was read since it was last called, and returns its time. `feature` may
  // be num_features(): the filter.
  int64_t CountReads(size_t piece, size_t feature) const;
  const Part& first_part(size_t feature) const {
    return context_->layout.parts[context_->layout.first_parts[feature]];
  }
  // Whether a task decodes all of the window.
  bool IsWhole(size_t feature) const;
  bool IsBucketed(size_t feature) const {
    return has_buckets_ && rowfeed::IsBucketed(first_part(feature), window_rows());
  }
  // Of a mixture, of such parts: keeps the rows that are wanted, run by run.
  void SplitWhole();
  Status HoldWindow(size_t part, const uint8_t* rows);
  Status GatherWhole(size_t run, BatchBuilder* builder) const;
  Status GatherRowsOf(const WindowSplit::Segment& segment, BatchBuilder* builder) const;
  // Of other parts: whether what is held of a fixed part is a copy of the rows that are
  // wanted, in the order of the split, made while they are in cache.
  bool IsCopied(size_t part, size_t piece) const;
  Result<std::unique_ptr<ColumnBlock>> CopyWanted(size_t part, size_t piece,
                                                  const FixedBlock& block) const;
  Status GatherPiece(const Task& task, const std::atomic<bool>& cancelled);
  Status GatherWindow(const Task& task, const std::atomic<bool>& cancelled);
  Status GatherBuckets(const Task& task, const std::atomic<bool>& cancelled);
  // Decodes the rows of a piece and writes those that are wanted to `out`, one place
  // for each part of the feature. Adds to `gather_ns` what is not decoding.
  Status CopyPiece(size_t piece, size_t feature, const std::atomic<bool>& cancelled,
                   const std::vector<uint8_t*>& out, int64_t* gather_ns);
  std::vector<BatchBuilder::Slots> SlotsOf(size_t part) const;
  // `rows`: of the whole window.
  void GatherRuns(size_t part, const uint8_t* rows) const;

  std::shared_ptr<const StreamContext> context_;
  size_t source_;
  std::shared_ptr<const EpochPlan> plan_;
  Window window_;
  std::vector<Run> runs_;
  std::vector<Place> places_;  // until Prepare
  std::vector<Piece> pieces_;
  WindowFetch files_;
  // One per feature and one for the filter, piece major. They do not move.
  std::deque<TimedFile> timed_files_;
  std::vector<PieceRows> piece_rows_;  // one per piece
  const bool has_buckets_;
  std::vector<Task> tasks_;
  std::vector<std::shared_ptr<BatchBuilder>> builders_;
  std::vector<uint32_t> permutation_;
  std::optional<BucketShuffle> buckets_;  // of the permutation
  std::optional<WindowSplit> split_;      // of tasks that are one piece
  std::optional<WindowSplit> whole_;  // of a mixture, of the others: as if one piece
  // Of the parts that are held, piece major; those of all pieces at the first. May read
  // from files_.
  std::vector<std::unique_ptr<ColumnBlock>> blocks_;
  // What references lead to, piece major.
  std::vector<std::unique_ptr<ColumnBlock>> referred_to_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_
