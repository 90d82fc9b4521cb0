// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/provenance_block.h"

namespace rowfeed {
namespace {

// A block in which row i is first + i * step.
template <typename T>
class ArithmeticBlock : public FixedBlock {
 public:
  ArithmeticBlock(int64_t num_rows, T first, T step)
      : FixedBlock(num_rows), first_(first), step_(step) {}

  Status Gather(const Selection& selection, uint8_t* out) const override {
    T* values = reinterpret_cast<T*>(out);
    for (int64_t i = 0; i < selection.size; ++i) {
      values[selection.slots[i]] = first_ + static_cast<T>(selection.rows[i]) * step_;
    }
    return {};
  }

  void CopyRows(uint8_t* out) const override {
    T* values = reinterpret_cast<T*>(out);
    for (int64_t i = 0; i < num_rows(); ++i) {
      values[i] = first_ + static_cast<T>(i) * step_;
    }
  }

  int64_t bytes_held() const override { return 0; }

 private:
  const T first_;
  const T step_;
};

}  // namespace

std::unique_ptr<ColumnBlock> MakeProvenanceBlock(Provenance provenance,
                                                 const RowGroup& group,
                                                 int64_t begin_row, int64_t end_row) {
  const int64_t num_rows = end_row - begin_row;
  switch (provenance) {
    case Provenance::kFile:
      return std::make_unique<ArithmeticBlock<int32_t>>(num_rows, group.file, 0);
    case Provenance::kRowGroup:
      return std::make_unique<ArithmeticBlock<int32_t>>(num_rows, group.index, 0);
    case Provenance::kRow:
      break;
    case Provenance::kEpoch:
    case Provenance::kStep:
      return std::make_unique<ArithmeticBlock<int64_t>>(num_rows, 0, 0);
  }
  return std::make_unique<ArithmeticBlock<int64_t>>(num_rows, begin_row, 1);
}

}  // namespace rowfeed
