// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/fixed_block.h"

#include <utility>

#include "core/width.h"

namespace rowfeed {
namespace {

class ContiguousBlock : public FixedBlock {
 public:
  ContiguousBlock(int64_t num_rows, int64_t row_bytes, const uint8_t* rows,
                  std::vector<Buffer> buffers)
      : FixedBlock(num_rows),
        row_bytes_(row_bytes),
        rows_(rows),
        buffers_(std::move(buffers)) {}

  Status Gather(const Selection& selection, uint8_t* out) const override {
    WithWidth(row_bytes_, [&](auto row) {
      const uint32_t* __restrict rows = selection.rows;
      const uint32_t* __restrict slots = selection.slots;
      const uint8_t* __restrict in = rows_;
      const int64_t size = selection.size;
      for (int64_t i = 0; i < size; ++i) {
        row.Copy(out + int64_t{slots[i]} * row.get(),
                 in + int64_t{rows[i]} * row.get());
      }
    });
    return {};
  }

  void CopyRows(uint8_t* out) const override {
    // There is nothing to copy if the rows are decoded at `out` already.
    if (num_rows() == 0 || out == rows_) return;
    std::memcpy(out, rows_, num_rows() * row_bytes_);
  }

  int64_t bytes_held() const override { return TotalCapacity(buffers_); }

 private:
  const int64_t row_bytes_;
  const uint8_t* const rows_;
  const std::vector<Buffer> buffers_;
};

class ScatteredBlock : public FixedBlock {
 public:
  ScatteredBlock(int64_t num_rows, int64_t row_bytes, const uint8_t* const* rows,
                 std::vector<Buffer> buffers)
      : FixedBlock(num_rows),
        row_bytes_(row_bytes),
        rows_(rows),
        buffers_(std::move(buffers)) {}

  Status Gather(const Selection& selection, uint8_t* out) const override {
    for (int64_t i = 0; i < selection.size; ++i) {
      std::memcpy(out + selection.slots[i] * row_bytes_, rows_[selection.rows[i]],
                  row_bytes_);
    }
    return {};
  }

  void CopyRows(uint8_t* out) const override {
    for (int64_t i = 0; i < num_rows(); ++i, out += row_bytes_) {
      std::memcpy(out, rows_[i], row_bytes_);
    }
  }

  int64_t bytes_held() const override { return TotalCapacity(buffers_); }

 private:
  const int64_t row_bytes_;
  const uint8_t* const* const rows_;
  const std::vector<Buffer> buffers_;
};

class DictionaryBlock : public FixedBlock {
 public:
  DictionaryBlock(int64_t num_rows, int64_t slots_per_row, int64_t width,
                  const int32_t* indices, const uint8_t* dictionary,
                  std::vector<Buffer> buffers)
      : FixedBlock(num_rows),
        slots_per_row_(slots_per_row),
        width_(width),
        indices_(indices),
        dictionary_(dictionary),
        buffers_(std::move(buffers)) {}

  Status Gather(const Selection& selection, uint8_t* out) const override {
    WithWidth(width_, [&](auto slot) {
      slots_per_row_ == 1 ? GatherScalars(slot, selection, out)
                          : GatherLists(slot, selection, out);
    });
    return {};
  }

  void CopyRows(uint8_t* out) const override {
    WithWidth(width_, [&](auto slot) {
      const int64_t num_slots = num_rows() * slots_per_row_;
      const int32_t* __restrict indices = indices_;
      const uint8_t* __restrict dictionary = dictionary_;
      for (int64_t i = 0; i < num_slots; ++i) {
        slot.Copy(out + i * slot.get(), dictionary + int64_t{indices[i]} * slot.get());
      }
    });
  }

  int64_t bytes_held() const override { return TotalCapacity(buffers_); }

 private:
  template <typename Width>
  void GatherScalars(Width slot, const Selection& selection, uint8_t* out) const {
    const uint32_t* __restrict rows = selection.rows;
    const uint32_t* __restrict slots = selection.slots;
    const int32_t* __restrict indices = indices_;
    const uint8_t* __restrict dictionary = dictionary_;
    const int64_t size = selection.size;
    for (int64_t i = 0; i < size; ++i) {
      slot.Copy(out + int64_t{slots[i]} * slot.get(),
                dictionary + int64_t{indices[rows[i]]} * slot.get());
    }
  }

  template <typename Width>
  void GatherLists(Width slot, const Selection& selection, uint8_t* out) const {
    const int64_t row_bytes = slots_per_row_ * slot.get();
    for (int64_t i = 0; i < selection.size; ++i) {
      uint8_t* row = out + selection.slots[i] * row_bytes;
      const int32_t* indices = indices_ + selection.rows[i] * slots_per_row_;
      for (int64_t k = 0; k < slots_per_row_; ++k) {
        slot.Copy(row + k * slot.get(), dictionary_ + int64_t{indices[k]} * slot.get());
      }
    }
  }

  const int64_t slots_per_row_;
  const int64_t width_;
  const int32_t* const indices_;
  const uint8_t* const dictionary_;
  const std::vector<Buffer> buffers_;
};

}  // namespace

std::unique_ptr<ColumnBlock> MakeContiguousBlock(int64_t num_rows, int64_t row_bytes,
                                                 const uint8_t* rows,
                                                 std::vector<Buffer> buffers) {
  return std::make_unique<ContiguousBlock>(num_rows, row_bytes, rows,
                                           std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeScatteredBlock(int64_t num_rows, int64_t row_bytes,
                                                const uint8_t* const* rows,
                                                std::vector<Buffer> buffers) {
  return std::make_unique<ScatteredBlock>(num_rows, row_bytes, rows,
                                          std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeDictionaryBlock(int64_t num_rows,
                                                 int64_t slots_per_row, int64_t width,
                                                 const int32_t* indices,
                                                 const uint8_t* dictionary,
                                                 std::vector<Buffer> buffers) {
  return std::make_unique<DictionaryBlock>(num_rows, slots_per_row, width, indices,
                                           dictionary, std::move(buffers));
}

}  // namespace rowfeed
