// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_builder.h"

#include <cstring>
#include <utility>

#include "core/decode/width.h"

namespace rowfeed {
namespace {

constexpr int64_t kAlignment = 64;

int64_t Align(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Bytes of a column in the arena: its rows, or its offsets.
int64_t ColumnBytes(const Column& column, int64_t rows) {
  return column.is_variable() ? (rows + 1) * static_cast<int64_t>(sizeof(int64_t))
                              : rows * column.row_bytes();
}

}  // namespace

BatchBuilder::BatchBuilder(const std::vector<Column>* columns, int64_t rows,
                           int64_t valid_rows, bool with_valid,
                           std::shared_ptr<BufferPool> pool)
    : columns_(columns),
      valid_rows_(valid_rows),
      with_valid_(with_valid),
      pool_(std::move(pool)) {
  batch_.num_rows = rows;
  batch_.columns.resize(columns->size());
}

int64_t BatchBuilder::ArenaBytes(const std::vector<Column>& columns, int64_t rows) {
  int64_t bytes = Align(rows);  // the flags of valid rows
  for (const Column& column : columns) bytes += Align(ColumnBytes(column, rows));
  return bytes;
}

Status BatchBuilder::Allocate() {
  std::call_once(allocate_once_, [this] { allocate_status_ = DoAllocate(); });
  return allocate_status_;
}

Status BatchBuilder::DoAllocate() {
  const int64_t rows = batch_.num_rows;
  ROWFEED_ASSIGN_OR_RETURN(memory_->arena,
                           pool_->Allocate(ArenaBytes(*columns_, rows)));
  uint8_t* next = memory_->arena.data();
  for (size_t i = 0; i < columns_->size(); ++i) {
    const Column& column = (*columns_)[i];
    const int64_t bytes = ColumnBytes(column, rows);
    if (column.is_variable()) {
      batch_.columns[i].offsets = reinterpret_cast<int64_t*>(next);
      std::memset(next, 0, bytes);
    } else {
      batch_.columns[i].data = next;
      const int64_t filled = valid_rows_ * column.row_bytes();
      std::memset(next + filled, 0, bytes - filled);
    }
    next += Align(bytes);
  }
  if (with_valid_) {
    batch_.valid = next;
    std::memset(next, 1, valid_rows_);
    std::memset(next + valid_rows_, 0, rows - valid_rows_);
  }
  return {};
}

Status BatchBuilder::GatherFixed(size_t column, const FixedBlock& block,
                                 const Selection& selection) {
  return block.Gather(selection, batch_.columns[column].data);
}

void BatchBuilder::GatherRun(size_t column, const uint8_t* rows,
                             const uint32_t* permutation, const Run& run) {
  WithWidth((*columns_)[column].row_bytes(), [&](auto row) {
    // Copies of all that the loops need: `out` may overwrite anything, for all that the
    // compiler knows.
    const int64_t count = run.count;
    const int64_t step = run.step;
    const int64_t out_step = run.slot_step * row.get();
    const uint32_t* __restrict from = permutation + run.begin;
    const uint8_t* __restrict in = rows;
    uint8_t* __restrict out = batch_.columns[column].data + run.slot_begin * row.get();
    if (step == 1 && run.slot_step == 1) {
      for (int64_t i = 0; i < count; ++i) {
        row.Copy(out + i * row.get(), in + int64_t{from[i]} * row.get());
      }
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      row.Copy(out + i * out_step, in + int64_t{from[i * step]} * row.get());
    }
  });
}

void BatchBuilder::GatherLengths(size_t column, const VariableBlock& block,
                                 const RowRun& run) {
  // The length of slot i becomes the end of its elements, offsets[i + 1].
  block.Lengths(run, batch_.columns[column].offsets + 1);
}

Status BatchBuilder::AllocateElements() {
  int64_t bytes = 0;
  std::vector<int64_t> begins(columns_->size());
  for (size_t i = 0; i < columns_->size(); ++i) {
    int64_t* offsets = batch_.columns[i].offsets;
    if (offsets == nullptr) continue;
    for (int64_t row = 0; row < batch_.num_rows; ++row)
      offsets[row + 1] += offsets[row];
    begins[i] = bytes;
    bytes += Align(offsets[batch_.num_rows] * ElementSize((*columns_)[i].dtype));
  }
  ROWFEED_ASSIGN_OR_RETURN(memory_->elements, pool_->Allocate(bytes));
  for (size_t i = 0; i < columns_->size(); ++i) {
    if (batch_.columns[i].offsets == nullptr) continue;
    batch_.columns[i].data = memory_->elements.data() + begins[i];
  }
  return {};
}

Status BatchBuilder::GatherElements(size_t column, const VariableBlock& block,
                                    const RowRun& run) {
  const BatchColumn& out = batch_.columns[column];
  return block.Gather(run, out.offsets, out.data);
}

Batch BatchBuilder::Finish() {
  batch_.num_bytes = num_bytes();
  batch_.owner = std::move(memory_);
  return std::move(batch_);
}

int64_t BatchBuilder::num_bytes() const {
  return memory_->arena.capacity() + memory_->elements.capacity();
}

}  // namespace rowfeed
