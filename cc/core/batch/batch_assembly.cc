// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How a batch is assembled when all of its rows are there.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/cache_line.h"
#include "core/batch/interleave.h"

namespace rowfeed {

bool BatchBuilder::NeedsAssembly() const {
  return memory_ == nullptr ||
         std::any_of(parts_->begin(), parts_->end(), [this](const Part& part) {
           return part.kind == Part::Kind::kStack || part.is_variable ||
                  part.moment != Part::Moment::kNone || IsStrips(part);
         });
}

Status BatchBuilder::AllocateUnits() {
  int64_t bytes = 0;
  const auto take = [&bytes](int64_t size) {
    return std::exchange(bytes, bytes + AlignToLine(size));
  };
  constexpr int64_t kNone = -1;
  struct Begins {
    int64_t data = kNone;
    int64_t strings = kNone;
  };
  std::vector<Begins> begins(parts_->size());
  const int64_t rows = batch_.num_rows;
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    if (part.is_referred_to) {
      const auto [size, are_short] = ReferencesOf(i, RowsOf(i)).Measure();
      if (part.may_be_inline && are_short) {
        begins[i].strings = take(rows * static_cast<int64_t>(sizeof(InlineString)));
      } else {
        begins[i].data = take(size + StringReferences::kSlack);
      }
    } else if (part.is_variable) {
      const bool has_end = part.kind == Part::Kind::kLengths;
      const int64_t size = SumRows(batch_.parts[i].offsets) + (has_end ? 1 : 0);
      begins[i].data = take(size * part.unit_bytes);
    } else if (part.kind == Part::Kind::kStack) {
      begins[i].data = take(rows * part.unit_bytes);
    }
  }
  ROWFEED_ASSIGN_OR_RETURN(memory_->units, pool_->Allocate(bytes));
  uint8_t* const units = memory_->units.data();
  for (size_t i = 0; i < parts_->size(); ++i) {
    const auto [data, strings] = begins[i];
    BatchPart& part = batch_.parts[i];
    if (data != kNone) part.data = units + data;
    if (strings != kNone)
      part.strings = reinterpret_cast<InlineString*>(units + strings);
  }
  return {};
}

// Turns the lengths of rows into offsets, and returns the last offset.
int64_t BatchBuilder::SumRows(int64_t* offsets) const {
  for (int64_t row = 0; row < batch_.num_rows; ++row) offsets[row + 1] += offsets[row];
  return offsets[batch_.num_rows];
}

Status BatchBuilder::GatherUnits(size_t part, const VariableBlock& block,
                                 const RowRun& run) {
  const BatchPart& out = batch_.parts[part];
  const bool is_length = (*parts_)[part].kind == Part::Kind::kLengths;
  // A list's length lies one place later, where it becomes the end of the list's
  // elements.
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

Status BatchBuilder::InterleaveStrips() {
  int64_t bytes = 0;
  for (const Part& part : *parts_) bytes = std::max(bytes, StripBytes(part));
  Buffer scratch;
  if (bytes > 0) {
    ROWFEED_ASSIGN_OR_RETURN(scratch, pool_->Allocate(bytes));
  }
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& part = (*parts_)[i];
    if (part.is_referred_to) {
      CopyStrings(i, scratch.data());
    } else if (IsStrips(part)) {
      InterleavePart(i, scratch.data());
    }
  }
  return {};
}

// The copy stays in the CPU's caches, and the rows go where their strips have just been
// read. So no memory is fetched twice.
void BatchBuilder::InterleavePart(size_t part, uint8_t* scratch) {
  const int64_t width = (*parts_)[part].unit_bytes;
  uint8_t* const out = RowsOf(part);
  std::memcpy(scratch, out, StripBytes((*parts_)[part]));
  std::vector<const uint8_t*> strips;
  strips.reserve(num_lanes_);
  for (int64_t lane = 0; lane < num_lanes_; ++lane) {
    strips.push_back(scratch + lane * strip_rows_ * width);
  }
  const int64_t num_rounds = valid_rows_ / num_lanes_;
  Interleave(strips, width, num_rounds, out);
  for (int64_t slot = num_rounds * num_lanes_; slot < valid_rows_; ++slot) {
    std::memcpy(out + slot * width, scratch + StripPlace(slot) * width, width);
  }
  std::memset(out + valid_rows_ * width, 0, (batch_.num_rows - valid_rows_) * width);
}

StringReferences BatchBuilder::ReferencesOf(size_t part, const uint8_t* rows) const {
  return IsStrips((*parts_)[part])
             ? StringReferences(rows, num_lanes_, strip_rows_, valid_rows_)
             : StringReferences(rows, 1, valid_rows_, valid_rows_);
}

void BatchBuilder::CopyStrings(size_t part, uint8_t* scratch) {
  const auto [data, offsets, strings] = batch_.parts[part];
  const int64_t rows = batch_.num_rows;
  if (strings != nullptr) {
    ReferencesOf(part, RowsOf(part)).CopyTo(strings);
    batch_.parts[part].offsets = nullptr;
    std::fill(strings + valid_rows_, strings + rows, InlineString{});
    return;
  }
  const uint8_t* references = RowsOf(part);
  if (IsStrips((*parts_)[part])) {
    std::memcpy(scratch, references, StripBytes((*parts_)[part]));
    references = scratch;
  }
  ReferencesOf(part, references).CopyTo(offsets, data);
  std::fill(offsets + valid_rows_ + 1, offsets + rows + 1, offsets[valid_rows_]);
}

void BatchBuilder::FillMoments(const Moment& moment) {
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part::Moment asked = (*parts_)[i].moment;
    if (asked == Part::Moment::kNone) continue;
    auto* const values = reinterpret_cast<int64_t*>(batch_.parts[i].data);
    if (asked == Part::Moment::kEpoch) {
      std::fill_n(values, valid_rows_, moment.epoch);
      continue;
    }
    for (int64_t row = 0; row < valid_rows_; ++row) {
      values[row] = moment.first_step + row / moment.rows_per_step;
    }
  }
}

void BatchBuilder::FillStacks() {
  for (size_t i = 0; i < parts_->size(); ++i) {
    const Part& stack = (*parts_)[i];
    if (stack.kind != Part::Kind::kStack) continue;
    std::vector<const uint8_t*> members;
    members.reserve(stack.num_members);
    for (size_t k = 0; k < stack.num_members; ++k) {
      const size_t member = stack.first_member + k * stack.member_step;
      members.push_back(batch_.parts[member].data);
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

}  // namespace rowfeed
