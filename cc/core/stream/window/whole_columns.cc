// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/whole_columns.h"

#include <utility>

#include "core/batch/iota.h"
#include "core/decode/blocks/inline_string.h"
#include "core/stopwatch.h"

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

WholeColumns::WholeColumns(const WindowReader* reader) : reader_(*reader) {
  const BatchLayout& layout = reader_.context().layout;
  if (!layout.has_variable_parts()) return;
  referred_to_.resize(reader_.pieces().size() * layout.parts.size());
}

Status WholeColumns::CopyPiece(size_t piece, size_t spec,
                               const std::atomic<bool>& cancelled,
                               const std::vector<uint8_t*>& out, int64_t* gather_ns) {
  const BatchLayout& layout = reader_.context().layout;
  const bool is_copied = !reader_.first_part(spec).is_referred_to;
  ROWFEED_ASSIGN_OR_RETURN(
      PartBlocks blocks,
      reader_.Decode(piece, spec, cancelled,
                     {.side_by_side = is_copied ? out[0] : nullptr}));
  const Stopwatch watch;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const size_t part = layout.first_parts[spec] + i;
    if (layout.parts[part].is_referred_to) {
      ROWFEED_RETURN_NOT_OK(ReferToRows(part, piece, std::move(blocks[i]), out[i]));
    } else {
      ROWFEED_RETURN_NOT_OK(CopyRows(static_cast<const FixedBlock&>(*blocks[i]),
                                     reader_.rows_of(piece).selected, out[i]));
    }
  }
  *gather_ns += watch.ns();
  return {};
}

Status WholeColumns::ReferToRows(size_t part, size_t piece,
                                 std::unique_ptr<ColumnBlock> block,
                                 uint8_t* references) {
  const StreamContext& context = reader_.context();
  auto& strings = static_cast<VariableBlock&>(*block);
  const std::vector<uint32_t>& selected = reader_.rows_of(piece).selected;
  if (!selected.empty()) {
    ROWFEED_RETURN_NOT_OK(
        strings.Select(selected.data(), std::ssize(selected), context.buffers));
  }
  ROWFEED_RETURN_NOT_OK(strings.Refer(
      context.buffers, reinterpret_cast<const InlineString**>(references)));
  referred_to_[piece * context.layout.parts.size() + part] = std::move(block);
  return {};
}

Result<std::vector<Buffer>> WholeColumns::CopyWindow(size_t spec,
                                                     const std::atomic<bool>& cancelled,
                                                     int64_t* gather_ns) {
  const StreamContext& context = reader_.context();
  const size_t begin = context.layout.first_parts[spec];
  const size_t end = context.layout.first_parts[spec + 1];
  std::vector<Buffer> rows;
  std::vector<uint8_t*> next;
  for (size_t part = begin; part < end; ++part) {
    const int64_t width = context.layout.parts[part].gathered_bytes();
    ROWFEED_ASSIGN_OR_RETURN(rows.emplace_back(),
                             context.buffers->Allocate(reader_.num_rows() * width));
    next.push_back(rows.back().data());
  }
  for (size_t piece = 0; piece < reader_.pieces().size(); ++piece) {
    ROWFEED_RETURN_NOT_OK(CopyPiece(piece, spec, cancelled, next, gather_ns));
    for (size_t part = begin; part < end; ++part) {
      next[part - begin] +=
          reader_.pieces()[piece].rows() * context.layout.parts[part].gathered_bytes();
    }
  }
  return rows;
}

}  // namespace rowfeed
