// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_POOLED_ARRAY_H_
#define ROWFEED_CORE_IO_POOLED_ARRAY_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// A growing array in memory of a BufferPool. New elements are not initialised.
template <typename T>
class PooledArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PooledArray(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}

  T* data() const { return buffer_.template as<T>(); }
  T& operator[](int64_t i) const { return data()[i]; }
  int64_t size() const { return size_; }
  void Clear() { size_ = 0; }

  // Makes room for `size` elements in all; contents stay.
  Status Reserve(int64_t size) {
    if (size <= capacity_) return {};
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / 4 / sizeof(T);
    if (size > kMax) {
      return {StatusCode::kOutOfMemory, "an array of more elements than memory has"};
    }
    const int64_t capacity =
        size_ == 0 ? size : std::max(size, capacity_ + capacity_ / 2);
    ROWFEED_ASSIGN_OR_RETURN(Buffer grown, pool_->Allocate(capacity * sizeof(T)));
    if (size_ > 0) std::memcpy(grown.data(), buffer_.data(), size_ * sizeof(T));
    buffer_ = std::move(grown);
    capacity_ = capacity;
    return {};
  }

  Status Resize(int64_t size) {
    ROWFEED_RETURN_NOT_OK(Reserve(size));
    size_ = size;
    return {};
  }

  // Appends a value. There must be room for it (Reserve).
  void Append(T value) { data()[size_++] = value; }

  // Hands out the memory. The array is empty afterwards.
  Buffer Release() {
    size_ = capacity_ = 0;
    return std::move(buffer_);
  }

 private:
  std::shared_ptr<BufferPool> pool_;
  Buffer buffer_;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
};

// Returns items[rows[0]], items[rows[1]], ..., items[rows[size - 1]].
template <typename T>
Result<PooledArray<T>> SelectItems(const T* items, const uint32_t* rows, int64_t size,
                                   const std::shared_ptr<BufferPool>& pool) {
  PooledArray<T> selected(pool);
  ROWFEED_RETURN_NOT_OK(selected.Resize(size));
  T* out = selected.data();
  for (int64_t i = 0; i < size; ++i) out[i] = items[rows[i]];
  return selected;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_POOLED_ARRAY_H_
