// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/padded_block.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/blocks/list_blocks.h"
#include "core/decode/blocks/padded_lists.h"
#include "core/decode/blocks/variable_block.h"
#include "core/io/pooled_array.h"
#include "core/width.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;
using ListsPtr = std::shared_ptr<const PaddedLists>;

// Repeats the bytes of an element until a slot is full: the slot of a fixed-size binary
// has several elements.
std::string Repeated(const std::string& element, int64_t slot_bytes) {
  std::string slot;
  while (std::ssize(slot) < slot_bytes) slot += element;
  return slot;
}

class PaddedBlock : public FixedBlock {
 public:
  // Each of `rows` points to the slots of a row or, if there is a dictionary, to
  // indices (int32_t) into it. Where slots are strings, `unit` is one byte of them.
  PaddedBlock(int64_t num_rows, ListsPtr lists, Unit unit, const std::string& value,
              const ByteArray* rows, const uint8_t* dictionary,
              std::vector<Buffer> buffers)
      : FixedBlock(num_rows),
        lists_(std::move(lists)),
        unit_(unit),
        value_(Repeated(value, unit.slot_bytes)),
        rows_(rows),
        dictionary_(dictionary),
        buffers_(std::move(buffers)) {
    item_bytes_.resize(lists_->num_levels() + 1);
    item_bytes_.back() = unit.bytes();
    for (size_t level = lists_->num_levels(); level-- > 0;) {
      item_bytes_[level] = item_bytes_[level + 1] * lists_->length(level);
    }
  }

  Status Gather(const Selection& selection, uint8_t* out) const override {
    WithWidth(unit_.slot_bytes, [&](auto slot) {
      for (int64_t i = 0; i < selection.size; ++i) {
        WriteRow(slot, selection.rows[i], out + selection.slots[i] * item_bytes_[0]);
      }
    });
    return {};
  }

  void CopyRows(uint8_t* out) const override {
    WithWidth(unit_.slot_bytes, [&](auto slot) {
      for (int64_t i = 0; i < num_rows(); ++i) {
        WriteRow(slot, i, out + i * item_bytes_[0]);
      }
    });
  }

  int64_t bytes_held() const override { return TotalCapacity(buffers_); }

 private:
  template <typename Width>
  void WriteRow(Width slot, int64_t row, uint8_t* out) const {
    WriteItem(slot, row, 0, 0, out);
  }

  // Writes item `item` of the row at a level, padded: a list, or a string at the level
  // below the last lists.
  template <typename Width>
  void WriteItem(Width slot, int64_t row, size_t level, int64_t item,
                 uint8_t* out) const {
    if (level == lists_->num_lists()) return WriteString(row, item, out);
    const PaddedLists::Range items =
        lists_->Kept(level, lists_->Items(row, level, item));
    const int64_t item_bytes = item_bytes_[level + 1];
    if (level + 1 == lists_->num_levels()) {
      WriteUnits(slot, row, items, out);
    } else {
      for (int64_t i = items.begin; i < items.end; ++i) {
        WriteItem(slot, row, level + 1, i, out + (i - items.begin) * item_bytes);
      }
    }
    Pad(slot, out + items.size() * item_bytes, out + item_bytes_[level]);
  }

  template <typename Width>
  void WriteUnits(Width slot, int64_t row, PaddedLists::Range units,
                  uint8_t* out) const {
    const uint8_t* data = rows_[row].ptr;
    if (dictionary_ == nullptr) {
      const int64_t size = units.size() * unit_.bytes();
      if (size > 0) std::memcpy(out, data + units.begin * unit_.bytes(), size);
      return;
    }
    const auto* indices =
        reinterpret_cast<const int32_t*>(data) + units.begin * unit_.num_slots;
    for (int64_t k = 0; k < units.size() * unit_.num_slots; ++k) {
      slot.Copy(out + k * slot.get(), dictionary_ + int64_t{indices[k]} * slot.get());
    }
  }

  void WriteString(int64_t row, int64_t item, uint8_t* out) const {
    const uint8_t* data = rows_[row].ptr;
    const ByteArray& string =
        dictionary_ == nullptr
            ? reinterpret_cast<const ByteArray*>(data)[item]
            : reinterpret_cast<const ByteArray*>(
                  dictionary_)[reinterpret_cast<const int32_t*>(data)[item]];
    const size_t level = lists_->num_lists();
    const PaddedLists::Range bytes = lists_->Kept(level, {0, int64_t{string.len}});
    if (bytes.size() > 0) std::memcpy(out, string.ptr + bytes.begin, bytes.size());
    Pad(FixedWidth<1>(), out + bytes.size(), out + item_bytes_[level]);
  }

  template <typename Width>
  void Pad(Width slot, uint8_t* out, const uint8_t* end) const {
    const auto* value = reinterpret_cast<const uint8_t*>(value_.data());
    for (; out < end; out += slot.get()) slot.Copy(out, value);
  }

  const ListsPtr lists_;
  const Unit unit_;
  const std::string value_;          // the padding of one slot
  std::vector<int64_t> item_bytes_;  // padded size of an item by level, then of a unit
  const ByteArray* const rows_;
  const uint8_t* const dictionary_;
  const std::vector<Buffer> buffers_;
};

// Makes the mask of padded strings: for each string a string of as many ones, for a
// null an empty one. Padding then adds the zeros.
Result<Slots> StringsOfOnes(const Slots& strings, Slots mask, int64_t most,
                            const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(Buffer ones, pool->Allocate(most));
  std::fill_n(ones.data(), most, uint8_t{1});
  PooledArray<ByteArray> views(pool);
  ROWFEED_RETURN_NOT_OK(views.Resize(strings.num_slots));
  for (int64_t i = 0; i < views.size(); ++i) {
    const bool is_there = mask.segments[0].data[i] != 0;
    const int64_t size = is_there ? StringAt(strings, i).len : 0;
    views[i] = ByteArray(static_cast<uint32_t>(std::min(size, most)), ones.data());
  }
  mask.format.width = sizeof(ByteArray);
  mask.segments[0].data = reinterpret_cast<const uint8_t*>(views.data());
  mask.buffers.push_back(views.Release());
  mask.buffers.push_back(std::move(ones));
  return mask;
}

Result<std::unique_ptr<ColumnBlock>> MakePaddedBlock(
    Slots slots, const RowRange& rows, ListsPtr lists, const std::string& value,
    const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(PooledArray<ByteArray> views, ViewRows(&slots, rows, pool));
  const ByteArray* data = views.data();
  slots.buffers.push_back(views.Release());
  const Unit unit = lists->num_lists() < lists->num_levels()
                        ? Unit{1, 1}
                        : Unit{slots.format.width, slots.format.slots_per_unit};
  return std::unique_ptr<ColumnBlock>(std::make_unique<PaddedBlock>(
      rows.size(), std::move(lists), unit, value, data,
      slots.indices != nullptr ? slots.dictionary : nullptr, std::move(slots.buffers)));
}

}  // namespace

Result<PartBlocks> MakePaddedBlocks(Slots slots, const RowRange& rows,
                                    const ChunkRequest& request,
                                    const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(ListsPtr lists,
                           PaddedLists::Make(&slots, rows, request, pool));
  PartBlocks blocks(1);
  if (request.mask == Mask::kElements) {
    Slots mask = TakeMask(&slots);
    if (slots.format.is_bytes()) {
      ROWFEED_ASSIGN_OR_RETURN(
          mask,
          StringsOfOnes(slots, std::move(mask), request.padding->lengths.back(), pool));
    }
    ROWFEED_ASSIGN_OR_RETURN(
        blocks.emplace_back(),
        MakePaddedBlock(std::move(mask), rows, lists, std::string(1, '\0'), pool));
  }
  ROWFEED_ASSIGN_OR_RETURN(blocks[0],
                           MakePaddedBlock(std::move(slots), rows, std::move(lists),
                                           request.padding->value, pool));
  return blocks;
}

}  // namespace rowfeed
