// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/variable_block.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/decode/blocks/copy_row.h"
#include "core/decode/blocks/inline_string.h"
#include "core/io/pooled_array.h"
#include "core/width.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

// Rows given as one view each.
struct Views {
  using Item = ByteArray;
  const Item* items;
  const ByteArray& operator[](int64_t row) const { return items[row]; }
};

// Rows given as indices into a dictionary of views.
struct DictionaryViews {
  using Item = int32_t;
  const Item* items;
  const ByteArray* dictionary;
  const ByteArray& operator[](int64_t row) const { return dictionary[items[row]]; }
};

// Makes InlineStrings of strings[0], ..., strings[size - 1].
template <typename Strings>
Result<PooledArray<InlineString>> ToInline(const Strings& strings, int64_t size,
                                           const std::shared_ptr<BufferPool>& pool) {
  PooledArray<InlineString> inlined(pool);
  ROWFEED_RETURN_NOT_OK(inlined.Resize(size));
  for (int64_t i = 0; i < size; ++i) {
    const ByteArray& string = strings[i];
    inlined[i] = InlineString::Make(string.ptr, string.len);
  }
  return inlined;
}

template <typename Rows>
class ViewBlock : public VariableBlock {
 public:
  ViewBlock(int64_t num_rows, int64_t width, Rows rows, std::vector<Buffer> buffers)
      : VariableBlock(num_rows),
        width_(width),
        rows_(rows),
        buffers_(std::move(buffers)) {}

  Status Select(const uint32_t* rows, int64_t size,
                const std::shared_ptr<BufferPool>& pool) override {
    ROWFEED_ASSIGN_OR_RETURN(auto items, SelectItems(rows_.items, rows, size, pool));
    const auto* const all = reinterpret_cast<const uint8_t*>(rows_.items);
    rows_.items = items.data();
    std::erase_if(buffers_, [&](const Buffer& own) {
      return own.data() <= all && all < own.data() + own.capacity();
    });
    buffers_.push_back(items.Release());
    num_rows_ = size;
    return {};
  }

  void Lengths(const RowRun& run, int64_t* lengths) const override {
    const Rows rows = rows_;
    const RowRun wanted = run;
    for (int64_t i = 0; i < wanted.size; ++i) {
      lengths[wanted.slots[i]] = rows[wanted.begin + i].len;
    }
  }

  Status Gather(const RowRun& run, const int64_t* offsets,
                uint8_t* values) const override {
    // The loop works on local copies: for all that the compiler knows, writing to
    // `values` may change the members, which would then be loaded again for each row.
    const Rows rows = rows_;
    const RowRun wanted = run;
    const int64_t width = width_;
    for (int64_t i = 0; i < wanted.size; ++i) {
      const ByteArray row = rows[wanted.begin + i];
      CopyRow(values + offsets[wanted.slots[i]] * width, row.ptr, row.len * width);
    }
    return {};
  }

  Status Refer(const std::shared_ptr<BufferPool>& pool,
               const InlineString** rows) override {
    ROWFEED_ASSIGN_OR_RETURN(auto strings, ToInline(rows_, num_rows_, pool));
    for (int64_t i = 0; i < num_rows_; ++i) rows[i] = &strings[i];
    HoldOnly(std::move(strings));
    return {};
  }

  int64_t bytes_held() const override { return TotalCapacity(buffers_); }

 protected:
  const Rows& rows() const { return rows_; }
  // Keeps `strings` and the memory that they point to, which is none if all are short.
  void HoldOnly(PooledArray<InlineString> strings) {
    if (std::all_of(strings.data(), strings.data() + strings.size(),
                    [](const InlineString& string) { return string.is_short(); })) {
      buffers_.clear();
    }
    buffers_.push_back(strings.Release());
  }

 private:
  const int64_t width_;
  Rows rows_;
  std::vector<Buffer> buffers_;
};

// Strings given as indices into a dictionary.
class StringDictionaryBlock : public ViewBlock<DictionaryViews> {
 public:
  using ViewBlock::ViewBlock;

  // Makes one InlineString for each entry of the dictionary, unless these are more than
  // the rows.
  Status Refer(const std::shared_ptr<BufferPool>& pool,
               const InlineString** out) override {
    const int32_t* indices = rows().items;
    int32_t last = -1;
    for (int64_t i = 0; i < num_rows_; ++i) last = std::max(last, indices[i]);
    if (last >= num_rows_) return ViewBlock::Refer(pool, out);
    ROWFEED_ASSIGN_OR_RETURN(auto strings,
                             ToInline(rows().dictionary, int64_t{last} + 1, pool));
    for (int64_t i = 0; i < num_rows_; ++i) out[i] = &strings[indices[i]];
    HoldOnly(std::move(strings));
    return {};
  }
};

// Lists of dictionary-coded elements: each view points to indices.
class ListDictionaryBlock : public ViewBlock<Views> {
 public:
  ListDictionaryBlock(int64_t num_rows, Unit unit, Views rows,
                      const uint8_t* dictionary, std::vector<Buffer> buffers)
      : ViewBlock(num_rows, unit.bytes(), rows, std::move(buffers)),
        unit_(unit),
        dictionary_(dictionary) {}

  Status Gather(const RowRun& run, const int64_t* offsets,
                uint8_t* values) const override {
    WithWidth(unit_.slot_bytes, [&](auto slot) {
      const uint8_t* __restrict dictionary = dictionary_;
      const int64_t unit_bytes = unit_.bytes();
      for (int64_t i = 0; i < run.size; ++i) {
        const ByteArray list = rows()[run.begin + i];
        const auto* __restrict indices = reinterpret_cast<const int32_t*>(list.ptr);
        uint8_t* __restrict row = values + offsets[run.slots[i]] * unit_bytes;
        const int64_t size = list.len * unit_.num_slots;
        for (int64_t k = 0; k < size; ++k) {
          slot.Copy(row + k * slot.get(),
                    dictionary + int64_t{indices[k]} * slot.get());
        }
      }
    });
    return {};
  }

 private:
  const Unit unit_;
  const uint8_t* const dictionary_;
};

// Lists of strings: each view points to strings, or to indices of strings.
class StringListBlock : public ViewBlock<Views> {
 public:
  StringListBlock(int64_t num_rows, Views rows, const ByteArray* dictionary,
                  std::vector<Buffer> buffers)
      : ViewBlock(num_rows, /*width=*/1, rows, std::move(buffers)),
        dictionary_(dictionary) {}

  void Lengths(const RowRun& run, int64_t* lengths) const override {
    for (int64_t i = 0; i < run.size; ++i) {
      int64_t size = 0;
      ForEachString(rows()[run.begin + i],
                    [&](const ByteArray& string) { size += string.len; });
      lengths[run.slots[i]] = size;
    }
  }

  Status Gather(const RowRun& run, const int64_t* offsets,
                uint8_t* values) const override {
    for (int64_t i = 0; i < run.size; ++i) {
      uint8_t* out = values + offsets[run.slots[i]];
      ForEachString(rows()[run.begin + i], [&](const ByteArray& string) {
        CopyRow(out, string.ptr, string.len);
        out += string.len;
      });
    }
    return {};
  }

 private:
  template <typename Function>
  void ForEachString(const ByteArray& list, const Function& function) const {
    if (dictionary_ == nullptr) {
      const auto* strings = reinterpret_cast<const ByteArray*>(list.ptr);
      for (uint32_t k = 0; k < list.len; ++k) function(strings[k]);
    } else {
      const auto* indices = reinterpret_cast<const int32_t*>(list.ptr);
      for (uint32_t k = 0; k < list.len; ++k) function(dictionary_[indices[k]]);
    }
  }

  const ByteArray* const dictionary_;
};

}  // namespace

std::unique_ptr<ColumnBlock> MakeViewBlock(int64_t num_rows, int64_t width,
                                           const ByteArray* rows,
                                           std::vector<Buffer> buffers) {
  return std::make_unique<ViewBlock<Views>>(num_rows, width, Views{rows},
                                            std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeStringDictionaryBlock(int64_t num_rows,
                                                       const int32_t* indices,
                                                       const ByteArray* dictionary,
                                                       std::vector<Buffer> buffers) {
  return std::make_unique<StringDictionaryBlock>(
      num_rows, /*width=*/1, DictionaryViews{indices, dictionary}, std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeListDictionaryBlock(int64_t num_rows, Unit unit,
                                                     const ByteArray* rows,
                                                     const uint8_t* dictionary,
                                                     std::vector<Buffer> buffers) {
  return std::make_unique<ListDictionaryBlock>(num_rows, unit, Views{rows}, dictionary,
                                               std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeStringListBlock(int64_t num_rows,
                                                 const ByteArray* rows,
                                                 const ByteArray* dictionary,
                                                 std::vector<Buffer> buffers) {
  return std::make_unique<StringListBlock>(num_rows, Views{rows}, dictionary,
                                           std::move(buffers));
}

Result<std::unique_ptr<VariableBlock>> CopyIfSmaller(
    const VariableBlock& block, int64_t unit_bytes,
    const std::shared_ptr<BufferPool>& pool) {
  const int64_t num_rows = block.num_rows();
  const int64_t rows_bytes = num_rows * static_cast<int64_t>(sizeof(ByteArray));
  if (rows_bytes * 2 > block.bytes_held()) return std::unique_ptr<VariableBlock>();
  std::vector<uint32_t> slots(num_rows);
  std::iota(slots.begin(), slots.end(), 0U);
  const RowRun all{0, slots.data(), num_rows};
  std::vector<int64_t> offsets(num_rows + 1, 0);
  block.Lengths(all, offsets.data() + 1);
  const bool fits = std::all_of(offsets.begin(), offsets.end(), [](int64_t length) {
    return length <= std::numeric_limits<uint32_t>::max();  // limit of a view's `len`
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  const int64_t size = offsets.back() * unit_bytes;
  if (!fits || (size + rows_bytes) * 2 > block.bytes_held()) {
    return std::unique_ptr<VariableBlock>();
  }
  ROWFEED_ASSIGN_OR_RETURN(Buffer values, pool->Allocate(size));
  ROWFEED_ASSIGN_OR_RETURN(Buffer rows, pool->Allocate(rows_bytes));
  ROWFEED_RETURN_NOT_OK(block.Gather(all, offsets.data(), values.data()));
  auto* views = rows.as<ByteArray>();
  for (int64_t row = 0; row < num_rows; ++row) {
    const auto length = static_cast<uint32_t>(offsets[row + 1] - offsets[row]);
    views[row] = ByteArray(length, values.data() + offsets[row] * unit_bytes);
  }
  std::vector<Buffer> buffers;
  buffers.push_back(std::move(values));
  buffers.push_back(std::move(rows));
  return std::unique_ptr<VariableBlock>(std::make_unique<ViewBlock<Views>>(
      num_rows, unit_bytes, Views{views}, std::move(buffers)));
}

}  // namespace rowfeed
