// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_READER_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_READER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/part.h"
#include "core/plan/blocks.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/read_pieces.h"
#include "core/status.h"
#include "core/stream/stats/timed_file.h"
#include "core/stream/window/stream_context.h"
#include "core/stream/window/window_fetch.h"

namespace rowfeed {

// Reads one window: fetches what is remote, finds the rows that pass the filter, and
// decodes column chunks. It knows nothing of batches: a WindowSink asks it for blocks
// and brings these where they belong. Its pieces are those of ReadPieces: blocks of a
// row group that lie near each other are read as one.
//
// The order of calls is: fetch tasks, filter tasks, HoldFiles, Decode, DropFetched.
class WindowReader {
 public:
  // The rows of its row group that a piece consists of.
  struct PieceRows {
    Interval rows;  // the rows that are decoded
    // The rows of the window, counted from rows.begin and ascending; empty: all of
    // `rows`.
    std::vector<uint32_t> selected;
    bool is_lost = false;  // the file is lost, so these rows become fill
  };
  // Where decoded rows may be written at once: ChunkRequest::rows_out and
  // ChunkRequest::places.
  struct RowsOut {
    uint8_t* side_by_side = nullptr;
    uint8_t* const* places = nullptr;
  };

  WindowReader(std::shared_ptr<const StreamContext> context, const WindowVisit& visit);

  const StreamContext& context() const { return *context_; }
  const StreamSource& source() const { return context_->sources[source_]; }
  const std::vector<Piece>& pieces() const { return read_.pieces(); }
  // Changes the numbers of rows of the window, which count rows of the plan's pieces:
  // they count rows of pieces() from then on.
  void Renumber(std::vector<uint32_t>* rows) const { read_.Renumber(rows); }
  int64_t num_rows() const { return num_rows_; }
  size_t num_columns() const { return source().layout.columns.size(); }
  const Part& first_part(size_t spec) const {
    return context_->layout.parts[context_->layout.first_parts[spec]];
  }
  // Returns about how many bytes the blocks of variable columns take.
  int64_t VariableBytes() const;

  // Fetch tasks bring the bytes of remote files into memory, before all other work. The
  // checks may run beside that work; see WindowFetch. Local files have neither.
  size_t num_fetch_tasks() const { return files_.num_tasks(); }
  int64_t fetched_bytes() const { return files_.num_bytes(); }
  Status RunFetchTask(size_t task, const Cancelled& cancelled);
  size_t num_checks() const { return files_.num_checks(); }
  Status RunCheck(size_t check, const Cancelled& cancelled) const;
  // Frees what was fetched. Call it after the last Decode.
  void DropFetched() { files_.Drop(); }

  // A filter task finds the rows of one piece that pass the filter. Without a filter
  // there are no such tasks. They run in any order and concurrently.
  size_t num_filter_tasks() const { return source().filtered ? pieces().size() : 0; }
  Status RunFilterTask(size_t task, const std::atomic<bool>& cancelled);

  // Keeps the files of all pieces open where that is needed: see HoldFile. After it,
  // the rows of each piece are known.
  Status HoldFiles();
  const PieceRows& rows_of(size_t piece) const { return piece_rows_[piece]; }
  bool has_lost_rows() const;

  // Decodes one column of a piece, and counts the time in the statistics. Thread-safe.
  // Ends soon after `cancelled` is set.
  Result<PartBlocks> Decode(size_t piece, size_t spec,
                            const std::atomic<bool>& cancelled,
                            const RowsOut& out) const;
  // Adds to the stream's counters the reads of column `spec` of a piece since the last
  // call for them, and returns the time of these reads in nanoseconds. Blocks may read
  // when rows are gathered, too. The number num_columns() stands for the filter.
  int64_t CountReads(size_t piece, size_t spec) const;

 private:
  // Where rows may be lost (EpochData): keeps the file of a piece open while the window
  // is loaded, so that it stays readable. If the file is already gone or replaced,
  // marks the rows of the piece as lost: batches have fill in their place.
  Status HoldFile(size_t piece);
  // Returns the rows of a piece's extent that pass the filter, counted from its begin.
  Result<std::vector<uint32_t>> PassingIn(size_t piece,
                                          const std::atomic<bool>& cancelled) const;
  // Returns the rows of a planned piece. `passing`: rows that pass the filter, counted
  // from row `begin` of the row group.
  Result<PieceRows> RowsOfPart(const Piece& part, int64_t begin,
                               const std::vector<uint32_t>& passing) const;
  // Returns about how many rows are decoded for a planned piece. Under a filter they
  // can be more than the piece has.
  int64_t DecodedRows(const Piece& piece) const;
  double VariableBytesOf(const Piece& piece) const;
  const TimedFile& file(size_t piece, size_t spec) const {
    return timed_files_[piece * (num_columns() + 1) + spec];
  }
  Result<PartBlocks> FillBlocks(size_t spec, int64_t num_rows) const;
  Result<PartBlocks> DecodeRows(size_t piece, size_t spec,
                                const std::atomic<bool>& cancelled, const RowsOut& out,
                                int64_t* decompress_ns) const;

  const std::shared_ptr<const StreamContext> context_;
  const size_t source_;
  const int64_t num_rows_;
  const ReadPieces read_;
  WindowFetch files_;
  // A file for each pair of a piece and a column, and one for each piece and the
  // filter, ordered by piece. It is a deque because blocks point to its files.
  std::deque<TimedFile> timed_files_;
  std::vector<PieceRows> piece_rows_;  // one for each piece
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_READER_H_
