// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory a loaded window keeps, and how batches of a mixture gather rows from
// it.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/batch/cache_line.h"
#include "core/batch/gather_rows.h"
#include "core/batch/iota.h"
#include "core/decode/blocks/fixed_block.h"
#include "core/decode/blocks/variable_block.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/window/window_load.h"

namespace rowfeed {
int64_t WindowLoad::HeldBytes() const {
  const int64_t num_runs = std::ssize(runs_);
  const bool is_split = !tasks_.empty() && tasks_.back().piece;
  const int64_t num_segments =
      is_split ? std::min(window_rows(), num_runs * std::ssize(pieces_)) : 0;
  const int64_t bytes = VariableBytes() + num_runs * static_cast<int64_t>(sizeof(Run)) +
                        num_segments * WindowSplit::kSegmentBytes;
  if (!is_held()) {
    const int64_t index_bytes = kRowIndexBytes + (has_buckets_ ? kBucketIndexBytes : 0);
    return bytes + index_bytes * window_rows();
  }
  return bytes + BatchBuilder::ArenaBytes(context_->layout.parts, window_rows()) +
         kHeldRowIndexBytes * window_rows();
}

void WindowLoad::SplitWhole() {
  if (tasks_.empty() || tasks_.front().piece) return;
  whole_.emplace(std::vector<Piece>{{.row_group = 0, .begin = 0, .end = window_rows()}},
                 permutation_, runs_, places_);
}

Status WindowLoad::HoldWindow(size_t part, const uint8_t* rows) {
  const Selection wanted = whole_->rows(0);
  const int64_t row_bytes = context_->layout.parts[part].gathered_bytes();
  ROWFEED_ASSIGN_OR_RETURN(Buffer held,
                           context_->buffers->Allocate(wanted.size * row_bytes));
  rowfeed::GatherRows(rows, wanted.rows, wanted.size, row_bytes, held.data());
  const uint8_t* data = held.data();
  std::vector<Buffer> buffers;
  buffers.push_back(std::move(held));
  blocks_[part] = MakeContiguousBlock(wanted.size, row_bytes, data, std::move(buffers));
  return {};
}

// Rows that are narrower than a cache line are copied: otherwise a batch would read a
// whole line for each of its rows. Rows decoded under a filter are copied because few
// of them may be wanted.
bool WindowLoad::IsCopied(size_t part, size_t piece) const {
  return context_->layout.parts[part].unit_bytes < kCacheLine ||
         !piece_rows_[piece].selected.empty();
}

Result<std::unique_ptr<ColumnBlock>> WindowLoad::CopyWanted(
    size_t part, size_t piece, const FixedBlock& block) const {
  const Selection wanted = split_->rows(piece);
  const int64_t row_bytes = context_->layout.parts[part].unit_bytes;
  ROWFEED_ASSIGN_OR_RETURN(Buffer rows,
                           context_->buffers->Allocate(wanted.size * row_bytes));
  const std::vector<uint32_t> slots = Iota(wanted.size);
  ROWFEED_RETURN_NOT_OK(
      block.Gather({wanted.rows, slots.data(), wanted.size}, rows.data()));
  const uint8_t* data = rows.data();
  std::vector<Buffer> buffers;
  buffers.push_back(std::move(rows));
  return MakeContiguousBlock(wanted.size, row_bytes, data, std::move(buffers));
}

Status WindowLoad::GatherRows(size_t run, BatchBuilder* builder,
                              int64_t* column_ns) const {
  if (whole_) ROWFEED_RETURN_NOT_OK(GatherWhole(run, builder));
  if (!split_) return {};
  for (const WindowSplit::Segment& segment : split_->of_run(run)) {
    ROWFEED_RETURN_NOT_OK(GatherRowsOf(segment, builder));
    for (size_t spec = 0; spec < num_columns(); ++spec) {
      *column_ns += CountReads(segment.piece, spec);
    }
  }
  return {};
}

Status WindowLoad::GatherWhole(size_t run, BatchBuilder* builder) const {
  const RowRun held = whole_->places(whole_->of_run(run).front());
  const std::vector<uint32_t> numbers = Iota(held.size, held.begin);
  for (size_t spec = 0; spec < num_columns(); ++spec) {
    if (!IsWhole(spec)) continue;
    for (size_t part = source().layout.first_parts[spec];
         part < source().layout.first_parts[spec + 1]; ++part) {
      ROWFEED_RETURN_NOT_OK(
          builder->GatherFixed(part, static_cast<const FixedBlock&>(block(0, part)),
                               {numbers.data(), held.slots, held.size}));
    }
  }
  return {};
}

Status WindowLoad::GatherRowsOf(const WindowSplit::Segment& segment,
                                BatchBuilder* builder) const {
  const size_t piece = segment.piece;
  const Selection rows = split_->selection(segment);
  const RowRun in_order = split_->places(segment);
  const std::vector<uint32_t> numbers = Iota(in_order.size, in_order.begin);
  const Selection copied{numbers.data(), rows.slots, rows.size};
  for (size_t spec = 0; spec < num_columns(); ++spec) {
    if (IsWhole(spec)) continue;
    for (size_t part = source().layout.first_parts[spec];
         part < source().layout.first_parts[spec + 1]; ++part) {
      if (context_->layout.parts[part].is_variable) {
        builder->GatherLengths(
            part, static_cast<const VariableBlock&>(block(piece, part)), in_order);
      } else {
        ROWFEED_RETURN_NOT_OK(builder->GatherFixed(
            part, static_cast<const FixedBlock&>(block(piece, part)),
            IsCopied(part, piece) ? copied : rows));
      }
    }
  }
  return {};
}

}  // namespace rowfeed
