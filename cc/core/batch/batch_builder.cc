// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/batch/cache_line.h"
#include "core/batch/interleave.h"

namespace rowfeed {
namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kMinStripRows = 4;  // shorter ones gain nothing

int64_t Align(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Bytes of a part in the arena: its rows, or their offsets.
int64_t RowBytes(const Part& part, int64_t rows) {
  if (part.kind == Part::Kind::kStack) return 0;  // it lies with the units
  if (!part.is_variable) return rows * part.unit_bytes;
  const int64_t row_bytes = part.may_be_inline ? sizeof(InlineString) : sizeof(int64_t);
  return (rows + 1) * row_bytes;
}

}  // namespace

BatchBuilder::BatchBuilder(const std::vector<Part>* parts, int64_t rows,
                           int64_t valid_rows, bool with_valid, int64_t num_lanes,
                           std::shared_ptr<BufferPool> pool,
                           std::shared_ptr<InlineParts> inline_parts)
    : parts_(parts),
      valid_rows_(valid_rows),
      with_valid_(with_valid),
      num_lanes_(rows / num_lanes >= kMinStripRows ? num_lanes : 1),
      strip_rows_((rows + num_lanes_ - 1) / num_lanes_),
      pool_(std::move(pool)),
      inline_parts_(std::move(inline_parts)) {
  batch_.num_rows = rows;
}

int64_t BatchBuilder::ArenaBytes(const std::vector<Part>& parts, int64_t rows) {
  int64_t bytes = Align(rows);  // the flags of valid rows
  for (const Part& part : parts) {
    const int64_t row_bytes =
        std::max(part.unit_bytes, static_cast<int64_t>(sizeof(InlineString)));
    if (row_bytes > (kTooManyBytes - bytes) / (rows + kAlignment)) return kTooManyBytes;
    bytes += Align(RowBytes(part, rows));
  }
  return bytes;
}

Status BatchBuilder::Allocate() {
  std::call_once(allocate_once_, [this] { allocate_status_ = DoAllocate(); });
  return allocate_status_;
}

Status BatchBuilder::DoAllocate() {
  const int64_t rows = batch_.num_rows;
  const int64_t arena_bytes = ArenaBytes(*parts_, rows);
  if (arena_bytes == kTooManyBytes) {
    return Status::Make(StatusCode::kOutOfMemory, "a batch of ", rows,
                        " rows takes more than 2^60 bytes");
  }
  batch_.parts.resize(parts_->size());
  memory_ = std::make_shared<Memory>();
  ROWFEED_RETURN_NOT_OK(AllocateStrips());
  int64_t strip_bytes = 0;  // which have room when they are interleaved
  for (const Part& part : *parts_) {
    if (IsStrips(part)) strip_bytes += Align(RowBytes(part, rows));
  }
  ROWFEED_ASSIGN_OR_RETURN(memory_->arena, pool_->Allocate(arena_bytes - strip_bytes));
  uint8_t* next = memory_->arena.data();
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    if (IsStrips(part)) continue;
    const int64_t bytes = RowBytes(part, rows);
    if (inline_parts_ && inline_parts_->contains(i)) {
      batch_.parts[i].strings = reinterpret_cast<InlineString*>(next);
      std::fill(batch_.parts[i].strings + valid_rows_, batch_.parts[i].strings + rows,
                InlineString{});
    } else if (part.is_variable) {
      auto* offsets = reinterpret_cast<int64_t*>(next);
      offsets[0] = 0;
      std::fill(offsets + valid_rows_ + 1, offsets + rows + 1, 0);
      batch_.parts[i].offsets = offsets;
    } else if (part.kind != Part::Kind::kStack) {
      batch_.parts[i].data = next;
      const int64_t filled = valid_rows_ * part.unit_bytes;
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

bool BatchBuilder::IsStrips(const Part& part) const {
  return num_lanes_ > 1 && !part.is_variable && part.kind != Part::Kind::kStack &&
         part.unit_bytes < kCacheLine;
}

int64_t BatchBuilder::StripBytes(const Part& part) const {
  return Align(num_lanes_ * strip_rows_ * part.unit_bytes);
}

uint32_t BatchBuilder::StripPlace(int64_t slot) const {
  // Rows of a batch are numbered by 32 bits, in which a division is far cheaper.
  const auto number = static_cast<uint32_t>(slot);
  const auto lanes = static_cast<uint32_t>(num_lanes_);
  return number % lanes * static_cast<uint32_t>(strip_rows_) + number / lanes;
}

Status BatchBuilder::AllocateStrips() {
  int64_t bytes = 0;
  for (const Part& part : *parts_) bytes += IsStrips(part) ? StripBytes(part) : 0;
  if (bytes == 0) return {};
  ROWFEED_ASSIGN_OR_RETURN(strips_, pool_->Allocate(bytes));
  part_strips_.resize(parts_->size());
  uint8_t* next = strips_.data();
  for (size_t i = 0; i < parts_->size(); ++i) {
    if (!IsStrips((*parts_)[i])) continue;
    part_strips_[i] = next;
    next += StripBytes((*parts_)[i]);
  }
  return {};
}

void BatchBuilder::MarkFill(const uint32_t* slots, int64_t num_slots) {
  for (int64_t i = 0; i < num_slots; ++i) batch_.valid[slots[i]] = 0;
}

Status BatchBuilder::GatherFixed(size_t part, const FixedBlock& block,
                                 const Selection& selection) {
  if (!IsStrips((*parts_)[part])) {
    return block.Gather(selection, batch_.parts[part].data);
  }
  std::vector<uint32_t> places(selection.size);
  for (int64_t i = 0; i < selection.size; ++i) {
    places[i] = StripPlace(selection.slots[i]);
  }
  return block.Gather({selection.rows, places.data(), selection.size},
                      part_strips_[part]);
}

BatchBuilder::Slots BatchBuilder::SlotsOf(size_t part, const Run& run) const {
  const int64_t width = (*parts_)[part].unit_bytes;
  if (!IsStrips((*parts_)[part])) {
    return {batch_.parts[part].data + run.slot_begin * width, run.slot_step};
  }
  return {part_strips_[part] + int64_t{StripPlace(run.slot_begin)} * width, 1};
}

void BatchBuilder::GatherLengths(size_t part, const VariableBlock& block,
                                 const RowRun& run) {
  if (InlineString* strings = batch_.parts[part].strings) {
    if (block.Inline(run, strings)) return;
    has_long_strings_ = true;
    inline_parts_->Remove(part);
    return;
  }
  // The length of slot i becomes the end of its units, offsets[i + 1].
  block.Lengths(run, batch_.parts[part].offsets + 1);
}

bool BatchBuilder::NeedsAssembly() const {
  if (memory_ == nullptr || has_long_strings_) return true;
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    if (part.kind == Part::Kind::kStack || IsStrips(part) ||
        batch_.parts[i].offsets != nullptr) {
      return true;
    }
  }
  return false;
}

Status BatchBuilder::AllocateUnits() {
  ROWFEED_RETURN_NOT_OK(AllocateOffsets());
  int64_t bytes = 0;
  std::vector<int64_t> begins(parts_->size(), -1);
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    int64_t size = batch_.num_rows;
    if (batch_.parts[i].offsets != nullptr) {
      size = SumRows(batch_.parts[i].offsets);
    } else if (part.kind != Part::Kind::kStack && !IsStrips(part)) {
      continue;
    }
    const bool has_end = part.kind == Part::Kind::kLengths;
    begins[i] = bytes;
    bytes += Align((size + (has_end ? 1 : 0)) * part.unit_bytes);
  }
  ROWFEED_ASSIGN_OR_RETURN(memory_->units, pool_->Allocate(bytes));
  for (size_t i = 0; i < parts_->size(); ++i) {
    if (begins[i] >= 0) batch_.parts[i].data = memory_->units.data() + begins[i];
  }
  return {};
}

Status BatchBuilder::AllocateOffsets() {
  if (!has_long_strings_) return {};
  std::vector<BatchPart*> parts;
  for (BatchPart& part : batch_.parts) {
    const InlineString* strings = part.strings;
    if (strings != nullptr &&
        !std::all_of(strings, strings + batch_.num_rows,
                     [](const InlineString& string) { return string.is_known(); })) {
      parts.push_back(&part);
    }
  }
  const int64_t size = batch_.num_rows + 1;
  ROWFEED_ASSIGN_OR_RETURN(memory_->offsets,
                           pool_->Allocate(std::ssize(parts) * size *
                                           static_cast<int64_t>(sizeof(int64_t))));
  auto* offsets = memory_->offsets.as<int64_t>();
  for (BatchPart* part : parts) {
    const InlineString* strings = std::exchange(part->strings, nullptr);
    offsets[0] = 0;
    for (int64_t i = 1; i < size; ++i) offsets[i] = strings[i - 1].size();
    part->offsets = offsets;
    offsets += size;
  }
  return {};
}

// Makes offsets of the rows' lengths, and returns the end.
int64_t BatchBuilder::SumRows(int64_t* offsets) const {
  for (int64_t row = 0; row < batch_.num_rows; ++row) offsets[row + 1] += offsets[row];
  return offsets[batch_.num_rows];
}

Status BatchBuilder::GatherUnits(size_t part, const VariableBlock& block,
                                 const RowRun& run) {
  const BatchPart& out = batch_.parts[part];
  if (out.strings != nullptr) return {};
  const bool is_length = (*parts_)[part].kind == Part::Kind::kLengths;
  // The length of a list becomes the end of its elements.
  return block.Gather(run, out.offsets, out.data + (is_length ? sizeof(int64_t) : 0));
}

void BatchBuilder::SumLengths() {
  for (size_t part = 0; part < parts_->size(); ++part) {
    if ((*parts_)[part].kind != Part::Kind::kLengths) continue;
    const BatchPart& lengths = batch_.parts[part];
    auto* offsets = reinterpret_cast<int64_t*>(lengths.data);
    const int64_t size = lengths.offsets[batch_.num_rows];
    offsets[0] = 0;
    for (int64_t i = 0; i < size; ++i) offsets[i + 1] += offsets[i];
  }
}

void BatchBuilder::InterleaveStrips() {
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    if (!IsStrips(part)) continue;
    const int64_t width = part.unit_bytes;
    std::vector<const uint8_t*> strips;
    strips.reserve(num_lanes_);
    for (int64_t lane = 0; lane < num_lanes_; ++lane) {
      strips.push_back(part_strips_[i] + lane * strip_rows_ * width);
    }
    uint8_t* out = batch_.parts[i].data;
    const int64_t num_rounds = valid_rows_ / num_lanes_;
    Interleave(strips, width, num_rounds, out);
    for (int64_t slot = num_rounds * num_lanes_; slot < valid_rows_; ++slot) {
      std::memcpy(out + slot * width, part_strips_[i] + StripPlace(slot) * width,
                  width);
    }
    std::memset(out + valid_rows_ * width, 0, (batch_.num_rows - valid_rows_) * width);
  }
  strips_ = {};
}

void BatchBuilder::FillStacks() {
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& stack = (*parts_)[i];
    if (stack.kind != Part::Kind::kStack) continue;
    std::vector<const uint8_t*> members;
    members.reserve(stack.num_members);
    for (size_t k = 0; k < stack.num_members; ++k) {
      members.push_back(batch_.parts[stack.first_member + k].data);
    }
    const int64_t width = (*parts_)[stack.first_member].unit_bytes;
    Interleave(members, width, batch_.num_rows, batch_.parts[i].data);
  }
}

Batch BatchBuilder::Finish() {
  batch_.num_bytes = num_bytes();
  batch_.owner = std::move(memory_);
  return std::move(batch_);
}

int64_t BatchBuilder::num_bytes() const {
  if (memory_ == nullptr) return 0;
  return memory_->arena.capacity() + memory_->offsets.capacity() +
         memory_->units.capacity() + strips_.capacity();
}

}  // namespace rowfeed
