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

// Loads one window: decodes the rows of its pieces and gathers them into the batches
// that they belong to. One task reads, decompresses, decodes and gathers one column
// chunk, while the decoded values are still in the CPU's caches. Rows of a part of
// fixed size are copied straight into the batches. A part of variable size writes only
// the lengths of its rows there. Its decoded blocks are kept until a batch knows its
// offsets and calls GatherUnits.
//
// One task decodes a narrow column for all pieces of the window, because rows of
// several pieces share each cache line of a batch: the line is then written only once.
// The same holds for strings that are referred to (Part::is_referred_to). Where the
// values of a window are larger than the CPU's caches, numbers and references are
// gathered through buckets (BucketShuffle), if enough columns share these.
//
// In a mixture, loading a window only decodes it. A source with a small weight has rows
// in batches that come much later, and there is no memory to allocate all of these now.
// So all parts are kept as blocks, and each batch gathers its rows when it is
// assembled, by GatherRows and then GatherUnits.
//
// The order of calls is: fetch tasks, filter tasks, Prepare, tasks, DropFetched,
// LeaveBuilders.
class WindowLoad {
 public:
  WindowLoad(std::shared_ptr<const StreamContext> context, const WindowVisit& visit,
             std::vector<Run> runs, std::vector<Place> places);

  const std::vector<Run>& runs() const { return runs_; }
  size_t num_tasks() const { return tasks_.size(); }
  // Returns about how many bytes the window keeps in memory until its last batch is
  // assembled: the blocks of variable columns and the index lists of the shuffle; in a
  // mixture, also the rows of all fixed parts.
  int64_t HeldBytes() const;

  // Fetch tasks bring the bytes of remote files into memory, before all other work. The
  // checks may run beside that work; see WindowFetch. Local files have neither.
  size_t num_fetch_tasks() const { return files_.num_tasks(); }
  int64_t fetched_bytes() const { return files_.num_bytes(); }
  Status RunFetchTask(size_t task, const Cancelled& cancelled);
  size_t num_checks() const { return files_.num_checks(); }
  Status RunCheck(size_t check, const Cancelled& cancelled) const;
  // Frees what was fetched. Call it after the last task.
  void DropFetched() { files_.Drop(); }

  // A filter task finds the rows of one piece that pass the filter. Without a filter
  // there are no such tasks. They run before Prepare, in any order and concurrently.
  size_t num_filter_tasks() const { return source().filtered ? pieces_.size() : 0; }
  Status RunFilterTask(size_t task, const std::atomic<bool>& cancelled);
  // Shuffles the window, and allocates the arenas of its batches. Call it before any
  // task of RunTask. builders[i] receives the rows of runs()[i]. In a mixture
  // `builders` is empty, because its batches are made later.
  Status Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders);
  // Releases the builders, so that a batch that was dropped keeps no memory. Call it
  // after the last task.
  void LeaveBuilders() { builders_.clear(); }
  // Runs one task. Tasks run in any order and concurrently. They end soon after
  // `cancelled` is set.
  Status RunTask(size_t task, const std::atomic<bool>& cancelled);
  // Mixtures only. Copies the rows of fixed parts, and the lengths of variable parts,
  // of one run into `builder`. Call it after all tasks. Adds to *column_ns the time
  // that it has counted in the statistics of single columns.
  Status GatherRows(size_t run, BatchBuilder* builder, int64_t* column_ns) const;
  // Copies the units of every variable part of one run into `builder`, except those of
  // strings that are referred to. Call it after all tasks, when the builder has its
  // offsets. `column_ns` is as in GatherRows.
  Status GatherUnits(size_t run, BatchBuilder* builder, int64_t* column_ns) const;

 private:
  struct Task {
    size_t spec;
    // The piece to decode; nullopt: all pieces of the window.
    std::optional<size_t> piece;
  };
  // The rows of its row group that a piece consists of.
  struct PieceRows {
    Interval rows;  // the rows that are decoded
    // The rows that pass the filter, counted from rows.begin; empty: all of `rows`.
    std::vector<uint32_t> selected;
    bool is_lost = false;  // the file is lost, so these rows become fill
  };
  // Growing data sets only. Keeps the file of a piece open while the window is loaded,
  // so that it stays readable. If the file is already gone or replaced, marks the rows
  // of the piece as lost: batches have fill in their place.
  Status HoldFile(size_t piece);
  bool has_lost_rows() const;
  void MarkLostRows() const;
  Result<PartBlocks> FillBlocks(size_t spec, int64_t num_rows) const;
  int64_t window_rows() const { return window_.end - window_.begin; }
  // Returns about how many rows are decoded for a piece. Under a filter they can be
  // more than the piece has.
  int64_t DecodedRows(const Piece& piece) const;
  const StreamSource& source() const { return context_->sources[source_]; }
  size_t num_columns() const { return source().layout.columns.size(); }
  const TimedFile& file(size_t piece, size_t spec) const {
    return timed_files_[piece * (num_columns() + 1) + spec];
  }
  bool is_held() const { return context_->options.mixture != nullptr; }
  int64_t VariableBytes() const;
  const ColumnBlock& block(size_t piece, size_t part) const {
    return *blocks_[piece * context_->layout.parts.size() + part];
  }
  // Where decoded rows may be written at once: ChunkRequest::rows_out and
  // ChunkRequest::places.
  struct RowsOut {
    uint8_t* side_by_side = nullptr;
    uint8_t* const* places = nullptr;
  };
  // Decodes one column of a piece, and counts the time in the statistics.
  Result<PartBlocks> Decode(size_t piece, size_t spec,
                            const std::atomic<bool>& cancelled,
                            const RowsOut& out) const;
  Result<PartBlocks> DecodeRows(size_t piece, size_t spec,
                                const std::atomic<bool>& cancelled, const RowsOut& out,
                                int64_t* decompress_ns) const;
  // Writes to `references` a pointer to the string of each row of a piece, and keeps
  // `block`, which holds these strings.
  Status ReferToRows(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block,
                     uint8_t* references);
  // Returns for each row of a piece where the batches want it. Empty if the part is
  // variable or narrower than kWideRowBytes, and in mixtures, whose batches gather rows
  // later.
  std::vector<uint8_t*> PlacesOf(size_t part, size_t piece) const;
  Status GatherPart(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block);
  Status GatherColumnUnits(size_t spec, size_t run, BatchBuilder* builder) const;
  // Adds to the stream's counters the reads of column `spec` of a piece since the last
  // call for them, and returns the time of these reads in nanoseconds. The number
  // num_columns() stands for the filter.
  int64_t CountReads(size_t piece, size_t spec) const;
  const Part& first_part(size_t spec) const {
    return context_->layout.parts[context_->layout.first_parts[spec]];
  }
  // Whether one task decodes the column for all pieces of the window.
  bool IsWhole(size_t spec) const;
  bool IsBucketed(size_t spec) const {
    return has_buckets_ && rowfeed::IsBucketed(first_part(spec), window_rows());
  }
  // Mixtures only, for columns that one task decodes as a whole (IsWhole). SplitWhole
  // finds the rows that batches want. HoldWindow keeps these rows, grouped by run.
  // GatherWhole copies those of one run into its batch; GatherRowsOf does that for the
  // other columns.
  void SplitWhole();
  Status HoldWindow(size_t part, const uint8_t* rows);
  Status GatherWhole(size_t run, BatchBuilder* builder) const;
  Status GatherRowsOf(const WindowSplit::Segment& segment, BatchBuilder* builder) const;
  // Mixtures only, for columns that are decoded piece by piece. Whether the rows of a
  // fixed part are held as a copy of those that batches want, in the order of split_.
  // The copy is made while the decoded rows are in the CPU's caches.
  bool IsCopied(size_t part, size_t piece) const;
  Result<std::unique_ptr<ColumnBlock>> CopyWanted(size_t part, size_t piece,
                                                  const FixedBlock& block) const;
  Status GatherPiece(const Task& task, const std::atomic<bool>& cancelled);
  Status GatherWindow(const Task& task, const std::atomic<bool>& cancelled);
  Status GatherBuckets(const Task& task, const std::atomic<bool>& cancelled);
  // Decodes a column of a piece, and writes its rows that pass the filter (or
  // references to them) side by side to `out`, which has an address for each part of
  // the column. Adds to *gather_ns the time that was not spent decoding.
  Status CopyPiece(size_t piece, size_t spec, const std::atomic<bool>& cancelled,
                   const std::vector<uint8_t*>& out, int64_t* gather_ns);
  std::vector<BatchBuilder::Slots> SlotsOf(size_t part) const;
  // Copies the rows of all runs to their batches. `rows` has the rows of the whole
  // window.
  void GatherRuns(size_t part, const uint8_t* rows) const;

  std::shared_ptr<const StreamContext> context_;
  size_t source_;
  std::shared_ptr<const EpochPlan> plan_;
  Window window_;
  std::vector<Run> runs_;
  std::vector<Place> places_;  // cleared by Prepare
  std::vector<Piece> pieces_;
  WindowFetch files_;
  // A file for each pair of a piece and a column, and one for each piece and the
  // filter, ordered by piece. It is a deque because blocks point to its files.
  std::deque<TimedFile> timed_files_;
  std::vector<PieceRows> piece_rows_;  // one for each piece
  const bool has_buckets_;
  std::vector<Task> tasks_;
  std::vector<std::shared_ptr<BatchBuilder>> builders_;
  std::vector<uint32_t> permutation_;
  std::optional<BucketShuffle> buckets_;  // made from permutation_
  std::optional<WindowSplit> split_;      // for columns that are decoded piece by piece
  // Mixtures only, for columns that are decoded as a whole: the window is one piece.
  std::optional<WindowSplit> whole_;
  // The blocks that batches gather from; block(piece, part) finds one. Those of a
  // column that is decoded as a whole stand at piece 0. A block may read from files_.
  std::vector<std::unique_ptr<ColumnBlock>> blocks_;
  // The blocks with the strings that references point to, in the order of blocks_.
  std::vector<std::unique_ptr<ColumnBlock>> referred_to_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_
