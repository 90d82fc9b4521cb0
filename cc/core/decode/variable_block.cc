// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/variable_block.h"

#include <utility>

#include "core/decode/width.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

int64_t Capacity(const std::vector<Buffer>& buffers) {
  int64_t bytes = 0;
  for (const Buffer& buffer : buffers) bytes += buffer.capacity();
  return bytes;
}

// memcpy without the call for the sizes of most words and categories, as two copies
// that overlap.
inline void CopyRow(uint8_t* __restrict out, const uint8_t* __restrict in,
                    int64_t size) {
  if (size > 32) {
    std::memcpy(out, in, size);
  } else if (size > 16) {
    std::memcpy(out, in, 16);
    std::memcpy(out + size - 16, in + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(out, in, 8);
    std::memcpy(out + size - 8, in + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(out, in, 4);
    std::memcpy(out + size - 4, in + size - 4, 4);
  } else if (size > 0) {
    out[0] = in[0];
    out[size / 2] = in[size / 2];
    out[size - 1] = in[size - 1];
  }
}

// A row is given by a view; `Rows` says which.
template <typename Rows>
class ViewBlock : public VariableBlock {
 public:
  ViewBlock(int64_t num_rows, int64_t width, Rows rows, std::vector<Buffer> buffers)
      : VariableBlock(num_rows),
        width_(width),
        rows_(rows),
        buffers_(std::move(buffers)) {}

  void Lengths(const Selection& selection, int64_t* lengths) const override {
    for (int64_t i = 0; i < selection.size; ++i) {
      lengths[selection.slots[i]] = rows_[selection.rows[i]].len;
    }
  }

  Status Gather(const Selection& selection, const int64_t* offsets,
                uint8_t* values) const override {
    for (int64_t i = 0; i < selection.size; ++i) {
      const ByteArray& row = rows_[selection.rows[i]];
      CopyRow(values + offsets[selection.slots[i]] * width_, row.ptr, row.len * width_);
    }
    return {};
  }

  int64_t bytes_held() const override { return Capacity(buffers_); }

 private:
  const int64_t width_;
  const Rows rows_;
  const std::vector<Buffer> buffers_;
};

struct DictionaryRows {
  const int32_t* indices;
  const ByteArray* dictionary;
  const ByteArray& operator[](int64_t row) const { return dictionary[indices[row]]; }
};

class ListDictionaryBlock : public VariableBlock {
 public:
  ListDictionaryBlock(int64_t num_rows, int64_t width, const int64_t* offsets,
                      const int32_t* indices, const uint8_t* dictionary,
                      std::vector<Buffer> buffers)
      : VariableBlock(num_rows),
        width_(width),
        offsets_(offsets),
        indices_(indices),
        dictionary_(dictionary),
        buffers_(std::move(buffers)) {}

  void Lengths(const Selection& selection, int64_t* lengths) const override {
    for (int64_t i = 0; i < selection.size; ++i) {
      const int64_t* row = offsets_ + selection.rows[i];
      lengths[selection.slots[i]] = row[1] - row[0];
    }
  }

  Status Gather(const Selection& selection, const int64_t* offsets,
                uint8_t* values) const override {
    WithWidth(width_, [&](auto slot) {
      const uint8_t* __restrict dictionary = dictionary_;
      for (int64_t i = 0; i < selection.size; ++i) {
        const int64_t begin = offsets_[selection.rows[i]];
        const int64_t size = offsets_[selection.rows[i] + 1] - begin;
        const int32_t* __restrict indices = indices_ + begin;
        uint8_t* __restrict row = values + offsets[selection.slots[i]] * slot.get();
        for (int64_t k = 0; k < size; ++k) {
          slot.Copy(row + k * slot.get(),
                    dictionary + int64_t{indices[k]} * slot.get());
        }
      }
    });
    return {};
  }

  int64_t bytes_held() const override { return Capacity(buffers_); }

 private:
  const int64_t width_;
  const int64_t* const offsets_;
  const int32_t* const indices_;
  const uint8_t* const dictionary_;
  const std::vector<Buffer> buffers_;
};

}  // namespace

std::unique_ptr<ColumnBlock> MakeViewBlock(int64_t num_rows, int64_t width,
                                           const ByteArray* rows,
                                           std::vector<Buffer> buffers) {
  return std::make_unique<ViewBlock<const ByteArray*>>(num_rows, width, rows,
                                                       std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeStringDictionaryBlock(int64_t num_rows,
                                                       const int32_t* indices,
                                                       const ByteArray* dictionary,
                                                       std::vector<Buffer> buffers) {
  return std::make_unique<ViewBlock<DictionaryRows>>(
      num_rows, /*width=*/1, DictionaryRows{indices, dictionary}, std::move(buffers));
}

std::unique_ptr<ColumnBlock> MakeListDictionaryBlock(int64_t num_rows, int64_t width,
                                                     const int64_t* offsets,
                                                     const int32_t* indices,
                                                     const uint8_t* dictionary,
                                                     std::vector<Buffer> buffers) {
  return std::make_unique<ListDictionaryBlock>(num_rows, width, offsets, indices,
                                               dictionary, std::move(buffers));
}

}  // namespace rowfeed
