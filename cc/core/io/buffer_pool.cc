// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/buffer_pool.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>

#include "core/io/fork_count.h"

namespace rowfeed {
namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kSmallest = 1024;
// Number of size classes in which an idle buffer is sought before fresh memory is used;
// such a buffer is up to 1.5 times too large.
constexpr int kClassesTried = 3;
// Idle memory up to this size is always kept: fresh pages are expensive, and the
// batches that the consumer holds count as memory in use.
constexpr int64_t kIdleBytes = int64_t{16} << 20;
constexpr int64_t kLargest = int64_t{1} << 46;

// Returns the buffer size of a size class. There are four classes per power of two.
int64_t ClassCapacity(int index) {
  return (kSmallest << (index / 4)) / 4 * (4 + index % 4);
}

int ClassOf(int64_t size) {
  if (size <= kSmallest) return 0;
  const auto power = static_cast<int>(std::bit_width<uint64_t>(size / kSmallest)) - 1;
  int index = power * 4;
  while (ClassCapacity(index) < size) ++index;
  return index;
}

}  // namespace

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    Release();
    pool_ = std::move(other.pool_);
    data_ = std::exchange(other.data_, nullptr);
    capacity_ = std::exchange(other.capacity_, 0);
  }
  return *this;
}

void Buffer::Release() {
  if (data_ == nullptr) return;
  pool_->Return(std::exchange(data_, nullptr), capacity_);
  pool_.reset();
}

BufferPool::BufferPool(int64_t max_bytes)
    : max_bytes_(max_bytes), owner_(ForkCount()) {}

std::shared_ptr<BufferPool> BufferPool::Make(int64_t max_bytes) {
  return std::shared_ptr<BufferPool>(new BufferPool(max_bytes));
}

Result<Buffer> BufferPool::Allocate(int64_t size) {
  if (size < 0 || size > kLargest) {
    return Status::Make(StatusCode::kOutOfMemory, "cannot allocate ", size, " bytes");
  }
  const int index = ClassOf(size + kAlignment);
  Span span;
  {
    const std::lock_guard lock(mutex_);
    span = TakeIdle(index);
  }
  FreeSurplus(span.capacity, /*slack=*/0);
  if (span.data == nullptr) {
    const std::lock_guard lock(heap_mutex_);
    span.data = heap_.Allocate(span.capacity);
  }
  if (span.data == nullptr) {
    return Status::Make(StatusCode::kOutOfMemory, "cannot allocate ", size, " bytes");
  }
  bytes_in_use_ += span.capacity;
  Buffer buffer;
  buffer.data_ = span.data;
  buffer.capacity_ = span.capacity;
  buffer.pool_ = shared_from_this();
  return buffer;
}

BufferPool::Span BufferPool::TakeIdle(int index) {
  const auto since = [](const std::vector<Idle>& buffers) {
    return buffers.empty() ? -1 : buffers.back().since;
  };
  auto* const latest =
      std::ranges::max_element(idle_ + index, idle_ + index + kClassesTried, {}, since);
  if (latest->empty()) return {nullptr, ClassCapacity(index)};
  const Span span = {latest->back().data,
                     ClassCapacity(static_cast<int>(latest - idle_))};
  latest->pop_back();
  bytes_idle_ -= span.capacity;
  return span;
}

void BufferPool::Return(uint8_t* data, int64_t capacity) {
  if (ForkCount() != owner_)
    return;  // the parent may have held the lock when it forked
  bool stays;
  {
    const std::lock_guard lock(mutex_);
    bytes_in_use_ -= capacity;
    // A buffer that is too large to be kept must not first push out all others.
    const bool is_too_large =
        capacity > kIdleBytes && bytes_in_use_ + capacity - kIdleBytes > max_bytes_;
    stays = !is_too_large && AddIdle(data, capacity);
  }
  if (!stays) return Free({data, capacity});
  FreeSurplus(0, /*slack=*/kIdleBytes);
}

bool BufferPool::AddIdle(uint8_t* data, int64_t capacity) {
  try {
    idle_[ClassOf(capacity)].push_back({data, num_returned_});
  } catch (const std::bad_alloc&) {
    return false;
  }
  ++num_returned_;
  bytes_idle_ += capacity;
  return true;
}

void BufferPool::FreeSurplus(int64_t wanted, int64_t slack) {
  while (true) {
    Span span;
    {
      const std::lock_guard lock(mutex_);
      if (bytes_idle_ - slack <= kIdleBytes ||
          bytes_in_use_ + bytes_idle_ + wanted - slack <= max_bytes_) {
        return;
      }
      span = TakeOldest();
    }
    Free(span);
  }
}

BufferPool::Span BufferPool::TakeOldest() {
  const auto since = [](const std::vector<Idle>& buffers) {
    return buffers.empty() ? std::numeric_limits<int64_t>::max()
                           : buffers.front().since;
  };
  auto* const oldest = std::ranges::min_element(idle_, {}, since);
  const Span span = {oldest->front().data,
                     ClassCapacity(static_cast<int>(oldest - idle_))};
  oldest->erase(oldest->begin());
  bytes_idle_ -= span.capacity;
  return span;
}

void BufferPool::Free(const Span& span) {
  const std::lock_guard lock(heap_mutex_);
  heap_.Free(span.data, span.capacity);
}

}  // namespace rowfeed
