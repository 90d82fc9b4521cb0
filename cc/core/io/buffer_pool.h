// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_BUFFER_POOL_H_
#define ROWFEED_CORE_IO_BUFFER_POOL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/io/huge_heap.h"
#include "core/status.h"

namespace rowfeed {

class BufferPool;

// Memory aligned to 64 bytes, which goes back to its pool when the Buffer is destroyed.
// Move-only. Keeps its pool alive. Contents are not initialised.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { Release(); }

  uint8_t* data() const { return data_; }
  int64_t capacity() const { return capacity_; }
  explicit operator bool() const { return data_ != nullptr; }

  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  friend class BufferPool;
  void Release();

  std::shared_ptr<BufferPool> pool_;
  uint8_t* data_ = nullptr;
  int64_t capacity_ = 0;
};

inline int64_t TotalCapacity(const std::vector<Buffer>& buffers) {
  int64_t bytes = 0;
  for (const Buffer& buffer : buffers) bytes += buffer.capacity();
  return bytes;
}

// Recycles buffers by size class, because the first access to fresh memory costs more
// than the work done on it. Thread-safe; lives until its last buffer is gone. A forked
// child never touches the parent's pool: inherited buffers are not given back.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  // Makes a pool that keeps returned (idle) memory as long as memory in use and idle
  // memory together are at most `max_bytes`. In any case it keeps 16 MB of idle memory.
  // What has been idle longest is freed first, as nobody asks for such sizes any more.
  // Memory is freed when a new buffer is asked for. When a buffer is given back, by a
  // consumer who should not wait, only what exceeds the limit by another 16 MB is
  // freed.
  static std::shared_ptr<BufferPool> Make(int64_t max_bytes);

  // Returns a buffer of at least `size` bytes, followed by 64 more that may be read.
  // kOutOfMemory if the system has no memory.
  Result<Buffer> Allocate(int64_t size);

  int64_t bytes_in_use() const { return bytes_in_use_.load(std::memory_order_relaxed); }
  int64_t bytes_idle() const { return bytes_idle_.load(std::memory_order_relaxed); }

 private:
  friend class Buffer;
  explicit BufferPool(int64_t max_bytes);
  void Return(uint8_t* data, int64_t capacity);

  struct Idle {
    uint8_t* data;
    int64_t since;  // number of buffers returned before this one
  };
  struct Span {
    uint8_t* data;
    int64_t capacity;
  };

  // Takes, among idle buffers of about this size class, the one that was returned last;
  // no data if there is none. Call with mutex_ held.
  Span TakeIdle(int index);
  // Keeps a returned buffer; false if there is no memory to record it. Call with mutex_
  // held.
  bool AddIdle(uint8_t* data, int64_t capacity);
  // Frees the longest idle buffers until `wanted` more bytes fit in the limit. `slack`
  // bytes above the limit may stay.
  void FreeSurplus(int64_t wanted, int64_t slack);
  // Takes the buffer that has been idle longest. Call with mutex_ held.
  Span TakeOldest();
  void Free(const Span& span);

  static constexpr int kNumClasses = 64 * 4;  // four classes per power of two
  const int64_t max_bytes_;
  const int owner_;
  std::atomic<int64_t> bytes_in_use_{0};
  std::atomic<int64_t> bytes_idle_{0};
  // Held only for moments. heap_mutex_ may be held longer, while the system maps memory
  // or takes it back.
  std::mutex mutex_;
  // Idle buffers by class, in the order of their return.
  std::vector<Idle> idle_[kNumClasses];
  int64_t num_returned_ = 0;
  std::mutex heap_mutex_;
  HugeHeap heap_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_BUFFER_POOL_H_
