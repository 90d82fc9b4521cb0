// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/padded_block.h"

#include <iterator>
#include <string>
#include <utility>

#include "core/decode/width.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

// A slot is one element, or that of a fixed-size binary, which are several.
std::string Repeated(const std::string& element, int64_t slot_bytes) {
  std::string slot;
  while (std::ssize(slot) < slot_bytes) slot += element;
  return slot;
}

class PaddedBlock : public FixedBlock {
 public:
  PaddedBlock(int64_t num_rows, const Padding& padding, Unit unit,
              const ByteArray* rows, const uint8_t* dictionary,
              std::vector<Buffer> buffers)
      : FixedBlock(num_rows),
        row_bytes_(padding.length * unit.bytes()),
        unit_(unit),
        rows_(rows),
        dictionary_(dictionary),
        value_(Repeated(padding.value, unit.slot_bytes)),
        buffers_(std::move(buffers)) {}

  Status Gather(const Selection& selection, uint8_t* out) const override {
    WithWidth(unit_.slot_bytes, [&](auto slot) {
      for (int64_t i = 0; i < selection.size; ++i) {
        WriteRow(slot, rows_[selection.rows[i]], out + selection.slots[i] * row_bytes_);
      }
    });
    return {};
  }

  void CopyRows(uint8_t* out) const override {
    WithWidth(unit_.slot_bytes, [&](auto slot) {
      for (int64_t i = 0; i < num_rows(); ++i) {
        WriteRow(slot, rows_[i], out + i * row_bytes_);
      }
    });
  }

 private:
  template <typename Width>
  void WriteRow(Width slot, const ByteArray& row, uint8_t* out) const {
    const int64_t size = int64_t{row.len} * unit_.bytes();
    if (dictionary_ == nullptr) {
      if (size > 0) std::memcpy(out, row.ptr, size);
    } else {
      const auto* indices = reinterpret_cast<const int32_t*>(row.ptr);
      for (int64_t k = 0; k < size / slot.get(); ++k) {
        slot.Copy(out + k * slot.get(), dictionary_ + int64_t{indices[k]} * slot.get());
      }
    }
    const auto* value = reinterpret_cast<const uint8_t*>(value_.data());
    for (int64_t k = size; k < row_bytes_; k += slot.get()) slot.Copy(out + k, value);
  }

  const int64_t row_bytes_;
  const Unit unit_;
  const ByteArray* const rows_;
  const uint8_t* const dictionary_;
  const std::string value_;  // of a slot
  const std::vector<Buffer> buffers_;
};

}  // namespace

std::unique_ptr<ColumnBlock> MakePaddedBlock(int64_t num_rows, const Padding& padding,
                                             Unit unit, const ByteArray* rows,
                                             const uint8_t* dictionary,
                                             std::vector<Buffer> buffers) {
  return std::make_unique<PaddedBlock>(num_rows, padding, unit, rows, dictionary,
                                       std::move(buffers));
}

}  // namespace rowfeed
