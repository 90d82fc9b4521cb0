// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/take/kept_rows.h"

#include <limits>
#include <numeric>

#include "core/decode/blocks/variable_block.h"
#include "parquet/types.h"

namespace rowfeed {

KeptRows::KeptRows(const Source& source, std::shared_ptr<const DecodedBlock> block,
                   size_t index, const Selection& selection)
    : source_(source), block_(std::move(block)), index_(index) {
  for (int64_t i = 0; i < selection.size; ++i) {
    const int64_t row = selection.rows[i];
    if (!runs_.empty() && runs_.back().begin + runs_.back().size == row) {
      ++runs_.back().size;
    } else {
      runs_.push_back({row, selection.slots + i, 1});
    }
  }
}

Result<KeptRows> KeptRows::Keep(const Source& source,
                                std::shared_ptr<const DecodedBlock> block, size_t index,
                                const Selection& selection, int64_t unit_bytes,
                                const std::shared_ptr<BufferPool>& buffers) {
  KeptRows kept(source, std::move(block), index, selection);
  if (kept.block_->reads_file) return kept;
  // The lengths of the kept rows, side by side. They become offsets below.
  std::vector<uint32_t> slots(selection.size);
  std::iota(slots.begin(), slots.end(), 0);
  std::vector<int64_t> offsets(selection.size + 1);
  int64_t slot = 0;
  for (const RowRun& run : kept.runs_) {
    kept.rows().Lengths({run.begin, slots.data() + slot, run.size}, offsets.data() + 1);
    slot += run.size;
  }
  bool fits = true;  // whether each length fits the 32 bits of a view
  for (size_t i = 1; i < offsets.size(); ++i) {
    fits = fits && offsets[i] <= std::numeric_limits<uint32_t>::max();
    offsets[i] += offsets[i - 1];
  }
  const int64_t bytes =
      offsets.back() * unit_bytes +
      selection.size * static_cast<int64_t>(sizeof(parquet::ByteArray));
  if (fits && bytes < kept.block_->bytes_held()) {
    ROWFEED_RETURN_NOT_OK(kept.Copy(offsets, unit_bytes, buffers));
    kept.runs_ = {{0, selection.slots, selection.size}};
  }
  return kept;
}

Status KeptRows::Copy(const std::vector<int64_t>& offsets, int64_t unit_bytes,
                      const std::shared_ptr<BufferPool>& buffers) {
  const int64_t size = std::ssize(offsets) - 1;
  std::vector<Buffer> memory(2);
  ROWFEED_ASSIGN_OR_RETURN(memory[0], buffers->Allocate(offsets.back() * unit_bytes));
  ROWFEED_ASSIGN_OR_RETURN(
      memory[1],
      buffers->Allocate(size * static_cast<int64_t>(sizeof(parquet::ByteArray))));
  uint8_t* units = memory[0].data();
  auto* views = memory[1].as<parquet::ByteArray>();
  std::vector<uint32_t> slots(size);
  std::iota(slots.begin(), slots.end(), 0);
  int64_t slot = 0;
  for (const RowRun& run : runs_) {
    ROWFEED_RETURN_NOT_OK(rows().Gather({run.begin, slots.data() + slot, run.size},
                                        offsets.data(), units));
    slot += run.size;
  }
  for (int64_t i = 0; i < size; ++i) {
    views[i] = {static_cast<uint32_t>(offsets[i + 1] - offsets[i]),
                units + offsets[i] * unit_bytes};
  }
  copy_.reset(static_cast<VariableBlock*>(
      MakeViewBlock(size, unit_bytes, views, std::move(memory)).release()));
  block_.reset();
  return {};
}

void KeptRows::GatherLengths(BatchBuilder* builder) const {
  for (const RowRun& run : runs_) builder->GatherLengths(source_.part, rows(), run);
}

Status KeptRows::GatherUnits(BatchBuilder* builder) const {
  for (const RowRun& run : runs_) {
    ROWFEED_RETURN_NOT_OK(builder->GatherUnits(source_.part, rows(), run));
  }
  return {};
}

}  // namespace rowfeed
