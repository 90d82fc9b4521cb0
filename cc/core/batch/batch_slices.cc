// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_slices.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace rowfeed {

BatchSlices::BatchSlices(Batch arena, const std::vector<Column>* columns,
                         int64_t batch_size)
    : arena_(std::move(arena)), columns_(columns), batch_size_(batch_size) {}

int64_t BatchSlices::num_left() const {
  const int64_t rows = arena_.num_rows - begin_;
  return rows > 0 ? (rows + batch_size_ - 1) / batch_size_ : 0;
}

Batch BatchSlices::Next() {
  const int64_t begin = begin_;
  const int64_t end = std::min(begin + batch_size_, arena_.num_rows);
  begin_ = end;
  if (begin == 0 && end == arena_.num_rows) return std::exchange(arena_, {});
  Batch batch = Slice(begin, end);
  if (end == arena_.num_rows) *this = {};  // the last keeps it
  return batch;
}

Batch BatchSlices::Slice(int64_t begin, int64_t end) const {
  struct Owner {
    std::shared_ptr<void> arena;
    std::vector<int64_t> offsets;  // from 0, of one variable column after the other
  };
  auto owner = std::make_shared<Owner>();
  owner->arena = arena_.owner;
  const int64_t rows = end - begin;
  Batch batch;
  batch.num_rows = rows;
  batch.columns = arena_.columns;
  size_t num_variable = 0;
  for (const Column& column : *columns_) num_variable += column.is_variable() ? 1 : 0;
  owner->offsets.resize(num_variable * (rows + 1));
  int64_t* next = owner->offsets.data();
  for (size_t i = 0; i < columns_->size(); ++i) {
    const Column& column = (*columns_)[i];
    BatchColumn& view = batch.columns[i];
    if (!column.is_variable()) {
      view.data += begin * column.row_bytes();
      continue;
    }
    const int64_t* from = view.offsets + begin;
    for (int64_t row = 0; row <= rows; ++row) next[row] = from[row] - from[0];
    view.data += from[0] * ElementSize(column.dtype);
    view.offsets = next;
    next += rows + 1;
  }
  if (arena_.valid != nullptr) batch.valid = arena_.valid + begin;
  batch.owner = std::move(owner);
  batch.num_bytes = arena_.num_bytes;
  return batch;
}

}  // namespace rowfeed
