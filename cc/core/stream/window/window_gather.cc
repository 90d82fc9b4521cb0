// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How the columns of a window get into its batches: chunk by chunk, or the whole window
// at once.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/batch/gather_rows.h"
#include "core/batch/iota.h"
#include "core/decode/blocks/fixed_block.h"
#include "core/decode/blocks/variable_block.h"
#include "core/decode/row_placer.h"
#include "core/stream/window/window_load.h"

namespace rowfeed {
namespace {

// Copies rows of a block side by side to `out`: those in `selected`, or all if it is
// empty.
Status CopyRows(const FixedBlock& block, const std::vector<uint32_t>& selected,
                uint8_t* out) {
  if (selected.empty()) {
    block.CopyRows(out);
    return {};
  }
  const std::vector<uint32_t> slots = Iota(std::ssize(selected));
  return block.Gather({selected.data(), slots.data(), std::ssize(selected)}, out);
}

}  // namespace

Status WindowLoad::GatherPiece(const Task& task, const std::atomic<bool>& cancelled) {
  const size_t first_part = context_->layout.first_parts[task.spec];
  Stopwatch watch;
  const std::vector<uint8_t*> places = PlacesOf(first_part, *task.piece);
  int64_t gather_ns = watch.Lap();
  ROWFEED_ASSIGN_OR_RETURN(
      PartBlocks blocks, Decode(*task.piece, task.spec, cancelled,
                                {.places = places.empty() ? nullptr : places.data()}));
  watch.Lap();
  for (size_t i = 0; i < blocks.size(); ++i) {
    // Its rows were decoded straight into the batches.
    if (blocks[i] == nullptr) continue;
    ROWFEED_RETURN_NOT_OK(
        GatherPart(first_part + i, *task.piece, std::move(blocks[i])));
  }
  const int64_t read_ns = CountReads(*task.piece, task.spec);
  gather_ns += watch.Lap() - read_ns;
  context_->counters->Add(task.spec, ColumnCount::kGather, gather_ns);
  return {};
}

std::vector<uint8_t*> WindowLoad::PlacesOf(size_t part, size_t piece) const {
  const Part& rows = context_->layout.parts[part];
  if (is_held() || rows.is_variable || rows.unit_bytes < kWideRowBytes) return {};
  std::vector<uint8_t*> places(piece_rows_[piece].rows.size());
  split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
    builders_[segment.run]->FindPlaces(part, split_->selection(segment), places.data());
  });
  return places;
}

Status WindowLoad::GatherPart(size_t part, size_t piece,
                              std::unique_ptr<ColumnBlock> block) {
  const size_t place = piece * context_->layout.parts.size() + part;
  if (context_->layout.parts[part].is_variable) {
    std::unique_ptr<VariableBlock> variable(
        static_cast<VariableBlock*>(block.release()));
    const Selection wanted = split_->rows(piece);
    ROWFEED_RETURN_NOT_OK(
        variable->Select(wanted.rows, wanted.size, context_->buffers));
    const int64_t group_rows =
        source().catalog->row_groups()[pieces_[piece].row_group].rows;
    if (wanted.size < group_rows) {  // copying frees pages of which few rows are wanted
      ROWFEED_ASSIGN_OR_RETURN(
          auto copied, CopyIfSmaller(*variable, context_->layout.parts[part].unit_bytes,
                                     context_->buffers));
      if (copied) variable = std::move(copied);
    }
    if (!is_held()) {
      split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
        builders_[segment.run]->GatherLengths(part, *variable, split_->places(segment));
      });
    }
    blocks_[place] = std::move(variable);
    return {};
  }
  auto& fixed = static_cast<const FixedBlock&>(*block);
  if (is_held()) {
    if (IsCopied(part, piece)) {
      ROWFEED_ASSIGN_OR_RETURN(blocks_[place], CopyWanted(part, piece, fixed));
    } else {
      blocks_[place] = std::move(block);
    }
    return {};
  }
  Status status;
  split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
    if (!status.ok()) return;
    status =
        builders_[segment.run]->GatherFixed(part, fixed, split_->selection(segment));
  });
  return status;
}

std::vector<BatchBuilder::Slots> WindowLoad::SlotsOf(size_t part) const {
  // One loop looks up all runs: every look-up misses the caches, and as none depends on
  // another, the CPU overlaps them.
  std::vector<BatchBuilder::Slots> slots;
  slots.reserve(runs_.size());
  for (size_t run = 0; run < runs_.size(); ++run) {
    slots.push_back(builders_[run]->SlotsOf(part, runs_[run]));
  }
  return slots;
}

void WindowLoad::GatherRuns(size_t part, const uint8_t* rows) const {
  const std::vector<BatchBuilder::Slots> slots = SlotsOf(part);
  const int64_t width = context_->layout.parts[part].gathered_bytes();
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    rowfeed::GatherRows(rows, permutation_.data() + run.begin, run.step, run.count,
                        width, slots[i].begin, slots[i].step);
  }
}

Status WindowLoad::ReferToRows(size_t part, size_t piece,
                               std::unique_ptr<ColumnBlock> block,
                               uint8_t* references) {
  auto& strings = static_cast<VariableBlock&>(*block);
  const std::vector<uint32_t>& selected = piece_rows_[piece].selected;
  if (!selected.empty()) {
    ROWFEED_RETURN_NOT_OK(
        strings.Select(selected.data(), std::ssize(selected), context_->buffers));
  }
  ROWFEED_RETURN_NOT_OK(strings.Refer(
      context_->buffers, reinterpret_cast<const InlineString**>(references)));
  referred_to_[piece * context_->layout.parts.size() + part] = std::move(block);
  return {};
}

Status WindowLoad::CopyPiece(size_t piece, size_t spec,
                             const std::atomic<bool>& cancelled,
                             const std::vector<uint8_t*>& out, int64_t* gather_ns) {
  const bool is_copied = !first_part(spec).is_referred_to;
  ROWFEED_ASSIGN_OR_RETURN(
      PartBlocks blocks,
      Decode(piece, spec, cancelled, {.side_by_side = is_copied ? out[0] : nullptr}));
  const Stopwatch watch;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const size_t part = context_->layout.first_parts[spec] + i;
    if (context_->layout.parts[part].is_referred_to) {
      ROWFEED_RETURN_NOT_OK(ReferToRows(part, piece, std::move(blocks[i]), out[i]));
    } else {
      ROWFEED_RETURN_NOT_OK(CopyRows(static_cast<const FixedBlock&>(*blocks[i]),
                                     piece_rows_[piece].selected, out[i]));
    }
  }
  *gather_ns += watch.ns();
  return {};
}

Status WindowLoad::GatherWindow(const Task& task, const std::atomic<bool>& cancelled) {
  const size_t begin = context_->layout.first_parts[task.spec];
  const size_t end = context_->layout.first_parts[task.spec + 1];
  std::vector<Buffer> rows;
  std::vector<uint8_t*> next;
  for (size_t part = begin; part < end; ++part) {
    const int64_t width = context_->layout.parts[part].gathered_bytes();
    ROWFEED_ASSIGN_OR_RETURN(rows.emplace_back(),
                             context_->buffers->Allocate(window_rows() * width));
    next.push_back(rows.back().data());
  }
  int64_t gather_ns = 0;
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    ROWFEED_RETURN_NOT_OK(CopyPiece(piece, task.spec, cancelled, next, &gather_ns));
    for (size_t part = begin; part < end; ++part) {
      next[part - begin] +=
          pieces_[piece].rows() * context_->layout.parts[part].gathered_bytes();
    }
  }
  const Stopwatch watch;
  for (size_t part = begin; part < end; ++part) {
    if (is_held()) ROWFEED_RETURN_NOT_OK(HoldWindow(part, rows[part - begin].data()));
    if (!is_held()) GatherRuns(part, rows[part - begin].data());
  }
  FenceRows();
  context_->counters->Add(task.spec, ColumnCount::kGather, gather_ns + watch.ns());
  return {};
}

}  // namespace rowfeed
