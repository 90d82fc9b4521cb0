// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How a batch that is being assembled takes the units of variable parts from a window.
#include <cstdint>

#include "core/decode/blocks/variable_block.h"
#include "core/stream/window/window_load.h"

namespace rowfeed {

Status WindowLoad::GatherUnits(size_t run, BatchBuilder* builder,
                               int64_t* column_ns) const {
  for (size_t spec = 0; spec < num_columns(); ++spec) {
    // Strings that are referred to were gathered when the window was decoded.
    if (!source().layout.is_variable(spec) || first_part(spec).is_referred_to) {
      continue;
    }
    const Stopwatch watch;
    ROWFEED_RETURN_NOT_OK(GatherColumnUnits(spec, run, builder));
    int64_t read_ns = 0;
    for (const WindowSplit::Segment& segment : split_->of_run(run)) {
      read_ns += CountReads(segment.piece, spec);
    }
    const int64_t ns = watch.ns();
    context_->counters->Add(spec, ColumnCount::kGather, ns - read_ns);
    *column_ns += ns;
  }
  return {};
}

Status WindowLoad::GatherColumnUnits(size_t spec, size_t run,
                                     BatchBuilder* builder) const {
  const BatchLayout& layout = source().layout;
  for (size_t part = layout.first_parts[spec]; part < layout.first_parts[spec + 1];
       ++part) {
    const Part& kind = context_->layout.parts[part];
    if (!kind.is_variable) continue;
    for (const WindowSplit::Segment& segment : split_->of_run(run)) {
      const Status status = builder->GatherUnits(
          part, static_cast<const VariableBlock&>(block(segment.piece, part)),
          split_->places(segment));
      if (!status.ok()) {
        return status.WithContext(source().catalog->Where(
            pieces_[segment.piece].row_group, *layout.columns[spec].index));
      }
    }
  }
  return {};
}

}  // namespace rowfeed
