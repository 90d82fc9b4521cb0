// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/batch/cache_line.h"
#include "core/ceil_div.h"

namespace rowfeed {
namespace {

constexpr int64_t kMinStripRows = 4;  // shorter strips gain nothing

// Returns the bytes of a part in the arena: those of its rows, or of their offsets.
int64_t RowBytes(const Part& part, int64_t rows) {
  if (part.kind == Part::Kind::kStack) return 0;  // a stack lies in Memory::units
  if (!part.is_variable) return rows * part.unit_bytes;
  return (rows + 1) * static_cast<int64_t>(sizeof(int64_t));
}

// Whether each row of the part is put into its place before the batch is complete.
bool IsGathered(const Part& part) {
  return part.is_referred_to || (!part.is_variable && part.kind != Part::Kind::kStack);
}

}  // namespace

BatchBuilder::BatchBuilder(const std::vector<Part>* parts, int64_t rows,
                           int64_t valid_rows, bool with_valid, int64_t num_lanes,
                           std::shared_ptr<BufferPool> pool)
    : parts_(parts),
      valid_rows_(valid_rows),
      with_valid_(with_valid),
      num_lanes_(rows / num_lanes >= kMinStripRows ? num_lanes : 1),
      strip_rows_(CeilDiv(rows, num_lanes_)),
      pool_(std::move(pool)) {
  batch_.num_rows = rows;
}

int64_t BatchBuilder::ArenaBytes(const std::vector<Part>& parts, int64_t rows) {
  int64_t bytes = AlignToLine(rows);  // one byte for each row, for Batch::valid
  for (const Part& part : parts) {
    const int64_t row_bytes =
        std::max(part.unit_bytes, static_cast<int64_t>(sizeof(int64_t)));
    if (row_bytes > (kTooManyBytes - bytes) / (rows + kCacheLine)) return kTooManyBytes;
    bytes += AlignToLine(RowBytes(part, rows));
  }
  return bytes;
}

Status BatchBuilder::Allocate() {
  const std::lock_guard lock(allocate_mutex_);
  if (!allocate_status_) allocate_status_ = DoAllocate();
  return *allocate_status_;
}

Status BatchBuilder::DoAllocate() {
  const int64_t rows = batch_.num_rows;
  if (ArenaBytes(*parts_, rows) == kTooManyBytes) {
    return Status::Make(StatusCode::kOutOfMemory, "a batch of ", rows,
                        " rows takes more than 2^60 bytes");
  }
  batch_.parts.resize(parts_->size());
  memory_ = std::make_shared<Memory>();
  int64_t bytes = AlignToLine(rows);  // one byte for each row, for Batch::valid
  for (const Part& part : *parts_) bytes += RoomOf(part);
  ROWFEED_ASSIGN_OR_RETURN(memory_->arena, pool_->Allocate(bytes));
  uint8_t* next = memory_->arena.data();
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    if (part.is_variable) {
      auto* offsets = reinterpret_cast<int64_t*>(next);
      offsets[0] = 0;
      std::fill(offsets + valid_rows_ + 1, offsets + rows + 1, 0);
      batch_.parts[i].offsets = offsets;
    } else if (part.kind != Part::Kind::kStack) {
      batch_.parts[i].data = next;
      std::memset(next + valid_rows_ * part.unit_bytes, 0,
                  (rows - valid_rows_) * part.unit_bytes);
    }
    next += RoomOf(part);
  }
  if (with_valid_) {
    batch_.valid = next;
    std::memset(next, 1, valid_rows_);
    std::memset(next + valid_rows_, 0, rows - valid_rows_);
  }
  return {};
}

bool BatchBuilder::IsStrips(const Part& part) const {
  return num_lanes_ > 1 && IsGathered(part) && part.gathered_bytes() < kCacheLine;
}

int64_t BatchBuilder::StripBytes(const Part& part) const {
  return IsStrips(part) ? num_lanes_ * strip_rows_ * part.gathered_bytes() : 0;
}

int64_t BatchBuilder::RoomOf(const Part& part) const {
  return AlignToLine(std::max(RowBytes(part, batch_.num_rows), StripBytes(part)));
}

uint32_t BatchBuilder::StripPlace(int64_t slot) const {
  // 32 bits suffice for the slots of a batch, and make the division far cheaper.
  const auto number = static_cast<uint32_t>(slot);
  const auto lanes = static_cast<uint32_t>(num_lanes_);
  return number % lanes * static_cast<uint32_t>(strip_rows_) + number / lanes;
}

void BatchBuilder::MarkFill(const uint32_t* slots, int64_t num_slots) {
  for (int64_t i = 0; i < num_slots; ++i) batch_.valid[slots[i]] = 0;
}

Status BatchBuilder::GatherFixed(size_t part, const FixedBlock& block,
                                 const Selection& selection) {
  if (!IsStrips((*parts_)[part])) return block.Gather(selection, RowsOf(part));
  std::vector<uint32_t> places(selection.size);
  for (int64_t i = 0; i < selection.size; ++i) {
    places[i] = StripPlace(selection.slots[i]);
  }
  return block.Gather({selection.rows, places.data(), selection.size}, RowsOf(part));
}

BatchBuilder::Slots BatchBuilder::SlotsOf(size_t part, const Run& run) const {
  const int64_t width = (*parts_)[part].gathered_bytes();
  if (!IsStrips((*parts_)[part])) {
    return {RowsOf(part) + run.slot_begin * width, run.slot_step};
  }
  return {RowsOf(part) + int64_t{StripPlace(run.slot_begin)} * width, 1};
}

void BatchBuilder::FindPlaces(size_t part, const Selection& selection,
                              uint8_t** places) const {
  const int64_t width = (*parts_)[part].unit_bytes;
  for (int64_t i = 0; i < selection.size; ++i) {
    places[selection.rows[i]] = RowsOf(part) + selection.slots[i] * width;
  }
}

uint8_t* BatchBuilder::RowsOf(size_t part) const {
  const BatchPart& rows = batch_.parts[part];
  const Part& kind = (*parts_)[part];
  if (!kind.is_referred_to) return rows.data;
  // Offsets overwrite the references: each is written behind the reference that it is
  // made from.
  return reinterpret_cast<uint8_t*>(rows.offsets + (IsStrips(kind) ? 0 : 1));
}

void BatchBuilder::GatherLengths(size_t part, const VariableBlock& block,
                                 const RowRun& run) {
  // The length of slot i becomes the end of its units, offsets[i + 1].
  block.Lengths(run, batch_.parts[part].offsets + 1);
}

int64_t BatchBuilder::num_bytes() const {
  if (memory_ == nullptr) return 0;
  return memory_->arena.capacity() + memory_->units.capacity();
}

}  // namespace rowfeed
