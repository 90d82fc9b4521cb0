// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_slices.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/ceil_div.h"

namespace rowfeed {

BatchSlices::BatchSlices(Batch arena, const std::vector<Part>* parts,
                         int64_t batch_size)
    : arena_(std::move(arena)), parts_(parts), batch_size_(batch_size) {}

int64_t BatchSlices::num_left() const {
  const int64_t rows = arena_.num_rows - begin_;
  return rows > 0 ? CeilDiv(rows, batch_size_) : 0;
}

Batch BatchSlices::Next() {
  const int64_t begin = begin_;
  const int64_t end = std::min(begin + batch_size_, arena_.num_rows);
  begin_ = end;
  if (begin == 0 && end == arena_.num_rows) return std::exchange(arena_, {});
  Batch batch = Slice(begin, end);
  // Forgets the arena: from now on only its batches keep it.
  if (end == arena_.num_rows) *this = {};
  return batch;
}

Batch BatchSlices::Slice(int64_t begin, int64_t end) const {
  struct Owner {
    std::shared_ptr<void> arena;
    std::vector<std::vector<int64_t>> offsets;
  };
  auto owner = std::make_shared<Owner>();
  owner->arena = arena_.owner;
  // Copies a range of offsets, so that it begins with 0.
  const auto slice = [&](const int64_t* offsets, int64_t size) {
    std::vector<int64_t>& sliced = owner->offsets.emplace_back(size);
    for (int64_t i = 0; i < size; ++i) sliced[i] = offsets[i] - offsets[0];
    return sliced.data();
  };
  Batch batch;
  batch.num_rows = end - begin;
  batch.parts = arena_.parts;
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    BatchPart& view = batch.parts[i];
    if (!part.is_variable) {
      view.data += begin * part.unit_bytes;
      continue;
    }
    if (view.strings != nullptr) {
      view.strings += begin;
      continue;
    }
    const int64_t* from = view.offsets + begin;
    view.data += from[0] * part.unit_bytes;
    if (part.kind == Part::Kind::kLengths) {
      view.data =
          reinterpret_cast<uint8_t*>(slice(reinterpret_cast<const int64_t*>(view.data),
                                           from[batch.num_rows] - from[0] + 1));
    }
    view.offsets = slice(from, batch.num_rows + 1);
  }
  if (arena_.valid != nullptr) batch.valid = arena_.valid + begin;
  batch.owner = std::move(owner);
  batch.num_bytes = arena_.num_bytes;
  return batch;
}

}  // namespace rowfeed
