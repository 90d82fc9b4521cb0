// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/held_window.h"

#include <utility>

#include "core/batch/cache_line.h"
#include "core/batch/gather_rows.h"
#include "core/batch/iota.h"
#include "core/decode/blocks/fixed_block.h"
#include "core/stopwatch.h"
#include "core/stream/options/sink_memory.h"
#include "core/stream/window/window_index.h"

namespace rowfeed {

HeldWindow::HeldWindow(const WindowReader* reader, const std::vector<Run>* runs,
                       std::vector<Place> places)
    : reader_(*reader),
      runs_(*runs),
      tasks_(reader_, runs_, /*has_buckets=*/false),
      columns_(reader),
      blocks_(reader, /*has_blocks=*/true),
      places_(std::move(places)) {}

int64_t HeldWindow::HeldBytes() const {
  return reader_.VariableBytes() +
         IndexBytes(reader_, runs_.size(), tasks_.has_pieces()) +
         BatchBuilder::ArenaBytes(reader_.context().layout.parts, reader_.num_rows()) +
         kHeldRowIndexBytes * reader_.num_rows();
}

Status HeldWindow::Prepare(std::vector<uint32_t> permutation,
                           std::vector<std::shared_ptr<BatchBuilder>> /*builders*/) {
  if (tasks_.has_whole()) {
    whole_.emplace(
        std::vector<Piece>{{.row_group = 0, .begin = 0, .end = reader_.num_rows()}},
        permutation, runs_, places_);
  }
  if (tasks_.has_pieces()) {
    split_.emplace(SplitPieces(reader_, permutation, runs_, places_));
  }
  places_ = {};
  return {};
}

Status HeldWindow::RunTask(size_t index, const std::atomic<bool>& cancelled) {
  const auto& [spec, piece] = tasks_[index];
  return piece ? HoldPiece(spec, *piece, cancelled) : HoldColumn(spec, cancelled);
}

Status HeldWindow::HoldPiece(size_t spec, size_t piece,
                             const std::atomic<bool>& cancelled) {
  const StreamContext& context = reader_.context();
  ROWFEED_ASSIGN_OR_RETURN(PartBlocks blocks,
                           reader_.Decode(piece, spec, cancelled, {}));
  const Stopwatch watch;
  for (size_t i = 0; i < blocks.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(
        HoldPart(context.layout.first_parts[spec] + i, piece, std::move(blocks[i])));
  }
  const int64_t read_ns = reader_.CountReads(piece, spec);
  context.counters->Add(spec, ColumnCount::kGather, watch.ns() - read_ns);
  return {};
}

Status HeldWindow::HoldPart(size_t part, size_t piece,
                            std::unique_ptr<ColumnBlock> block) {
  if (reader_.context().layout.parts[part].is_variable) {
    return blocks_.KeepWanted(piece, part, std::move(block), split_->rows(piece))
        .status();
  }
  if (IsCopied(part, piece)) {
    ROWFEED_ASSIGN_OR_RETURN(
        block, CopyWanted(part, piece, static_cast<const FixedBlock&>(*block)));
  }
  blocks_.Keep(piece, part, std::move(block));
  return {};
}

Status HeldWindow::HoldColumn(size_t spec, const std::atomic<bool>& cancelled) {
  const StreamContext& context = reader_.context();
  int64_t gather_ns = 0;
  ROWFEED_ASSIGN_OR_RETURN(const std::vector<Buffer> rows,
                           columns_.CopyWindow(spec, cancelled, &gather_ns));
  const Stopwatch watch;
  for (size_t i = 0; i < rows.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(
        HoldWhole(context.layout.first_parts[spec] + i, rows[i].data()));
  }
  FenceRows();
  context.counters->Add(spec, ColumnCount::kGather, gather_ns + watch.ns());
  return {};
}

Status HeldWindow::HoldWhole(size_t part, const uint8_t* rows) {
  const StreamContext& context = reader_.context();
  const Selection wanted = whole_->rows(0);
  const int64_t row_bytes = context.layout.parts[part].gathered_bytes();
  ROWFEED_ASSIGN_OR_RETURN(Buffer held,
                           context.buffers->Allocate(wanted.size * row_bytes));
  GatherRows(rows, wanted.rows, wanted.size, row_bytes, held.data());
  const uint8_t* data = held.data();
  std::vector<Buffer> buffers;
  buffers.push_back(std::move(held));
  blocks_.Keep(/*piece=*/0, part,
               MakeContiguousBlock(wanted.size, row_bytes, data, std::move(buffers)));
  return {};
}

// Rows that are narrower than a cache line are copied: otherwise a batch would read a
// whole line for each of its rows. Rows decoded under a filter are copied because few
// of them may be wanted.
bool HeldWindow::IsCopied(size_t part, size_t piece) const {
  return reader_.context().layout.parts[part].unit_bytes < kCacheLine ||
         !reader_.rows_of(piece).selected.empty();
}

Result<std::unique_ptr<ColumnBlock>> HeldWindow::CopyWanted(
    size_t part, size_t piece, const FixedBlock& block) const {
  const StreamContext& context = reader_.context();
  const Selection wanted = split_->rows(piece);
  const int64_t row_bytes = context.layout.parts[part].unit_bytes;
  ROWFEED_ASSIGN_OR_RETURN(Buffer rows,
                           context.buffers->Allocate(wanted.size * row_bytes));
  const std::vector<uint32_t> slots = Iota(wanted.size);
  ROWFEED_RETURN_NOT_OK(
      block.Gather({wanted.rows, slots.data(), wanted.size}, rows.data()));
  const uint8_t* data = rows.data();
  std::vector<Buffer> buffers;
  buffers.push_back(std::move(rows));
  return MakeContiguousBlock(wanted.size, row_bytes, data, std::move(buffers));
}

Status HeldWindow::GatherRun(size_t run, BatchBuilder* builder,
                             int64_t* column_ns) const {
  if (whole_) ROWFEED_RETURN_NOT_OK(GatherWhole(run, builder));
  if (!split_) return {};
  for (const WindowSplit::Segment& segment : split_->of_run(run)) {
    ROWFEED_RETURN_NOT_OK(GatherPieces(segment, builder));
    for (size_t spec = 0; spec < reader_.num_columns(); ++spec) {
      *column_ns += reader_.CountReads(segment.piece, spec);
    }
  }
  return {};
}

Status HeldWindow::GatherWhole(size_t run, BatchBuilder* builder) const {
  const std::vector<size_t>& first_parts = reader_.context().layout.first_parts;
  const RowRun held = whole_->places(whole_->of_run(run).front());
  const std::vector<uint32_t> numbers = Iota(held.size, held.begin);
  for (size_t spec = 0; spec < reader_.num_columns(); ++spec) {
    if (!tasks_.IsWhole(spec)) continue;
    for (size_t part = first_parts[spec]; part < first_parts[spec + 1]; ++part) {
      ROWFEED_RETURN_NOT_OK(builder->GatherFixed(
          part, static_cast<const FixedBlock&>(blocks_.at(0, part)),
          {numbers.data(), held.slots, held.size}));
    }
  }
  return {};
}

Status HeldWindow::GatherPieces(const WindowSplit::Segment& segment,
                                BatchBuilder* builder) const {
  const BatchLayout& layout = reader_.context().layout;
  const size_t piece = segment.piece;
  const Selection rows = split_->selection(segment);
  const RowRun in_order = split_->places(segment);
  const std::vector<uint32_t> numbers = Iota(in_order.size, in_order.begin);
  const Selection copied{numbers.data(), rows.slots, rows.size};
  for (size_t spec = 0; spec < reader_.num_columns(); ++spec) {
    if (tasks_.IsWhole(spec)) continue;
    for (size_t part = layout.first_parts[spec]; part < layout.first_parts[spec + 1];
         ++part) {
      const ColumnBlock& block = blocks_.at(piece, part);
      if (layout.parts[part].is_variable) {
        builder->GatherLengths(part, static_cast<const VariableBlock&>(block),
                               in_order);
      } else {
        ROWFEED_RETURN_NOT_OK(
            builder->GatherFixed(part, static_cast<const FixedBlock&>(block),
                                 IsCopied(part, piece) ? copied : rows));
      }
    }
  }
  return {};
}

Status HeldWindow::GatherUnits(size_t run, BatchBuilder* builder,
                               int64_t* column_ns) const {
  return split_ ? blocks_.GatherUnits(*split_, run, builder, column_ns) : Status();
}

}  // namespace rowfeed
