// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_blocks.h"

#include <utility>

#include "core/decode/blocks/variable_block.h"
#include "core/stopwatch.h"

namespace rowfeed {

WindowBlocks::WindowBlocks(const WindowReader* reader, bool has_blocks)
    : reader_(*reader),
      blocks_(has_blocks ? PlaceOf(reader_.pieces().size(), 0) : size_t{0}) {}

Result<const VariableBlock*> WindowBlocks::KeepWanted(
    size_t piece, size_t part, std::unique_ptr<ColumnBlock> block,
    const Selection& wanted) {
  const StreamContext& context = reader_.context();
  std::unique_ptr<VariableBlock> variable(static_cast<VariableBlock*>(block.release()));
  ROWFEED_RETURN_NOT_OK(variable->Select(wanted.rows, wanted.size, context.buffers));
  const int64_t group_rows =
      reader_.source().catalog->row_groups()[reader_.pieces()[piece].row_group].rows;
  if (wanted.size < group_rows) {  // copying frees pages of which few rows are wanted
    ROWFEED_ASSIGN_OR_RETURN(
        auto copied, CopyIfSmaller(*variable, context.layout.parts[part].unit_bytes,
                                   context.buffers));
    if (copied) variable = std::move(copied);
  }
  const VariableBlock* const kept = variable.get();
  Keep(piece, part, std::move(variable));
  return kept;
}

Status WindowBlocks::GatherUnits(const WindowSplit& split, size_t run,
                                 BatchBuilder* builder, int64_t* column_ns) const {
  for (size_t spec = 0; spec < reader_.num_columns(); ++spec) {
    if (!reader_.source().layout.is_variable(spec) ||
        reader_.first_part(spec).is_referred_to) {
      continue;
    }
    const Stopwatch watch;
    ROWFEED_RETURN_NOT_OK(GatherColumn(split, spec, run, builder));
    int64_t read_ns = 0;
    for (const WindowSplit::Segment& segment : split.of_run(run)) {
      read_ns += reader_.CountReads(segment.piece, spec);
    }
    const int64_t ns = watch.ns();
    reader_.context().counters->Add(spec, ColumnCount::kGather, ns - read_ns);
    *column_ns += ns;
  }
  return {};
}

Status WindowBlocks::GatherColumn(const WindowSplit& split, size_t spec, size_t run,
                                  BatchBuilder* builder) const {
  const BatchLayout& layout = reader_.source().layout;
  for (size_t part = layout.first_parts[spec]; part < layout.first_parts[spec + 1];
       ++part) {
    if (!reader_.context().layout.parts[part].is_variable) continue;
    for (const WindowSplit::Segment& segment : split.of_run(run)) {
      const Status status = builder->GatherUnits(
          part, static_cast<const VariableBlock&>(at(segment.piece, part)),
          split.places(segment));
      if (!status.ok()) {
        return status.WithContext(reader_.source().catalog->Where(
            reader_.pieces()[segment.piece].row_group, *layout.columns[spec].index));
      }
    }
  }
  return {};
}

}  // namespace rowfeed
