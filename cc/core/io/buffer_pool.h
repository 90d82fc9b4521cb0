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

// 64-byte-aligned memory that goes back to its pool when the last owner lets go.
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

// Recycles buffers by size class, because first touch of fresh memory costs more than
// the work done on it. Thread-safe; outlives its buffers. A forked child never touches
// the parent's pool: buffers that it inherits are not given back.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  // Keeps returned memory while all of it, in use and idle, is at most `max_bytes`, and
  // 16 MB of it whatever is in use. What has lain idle longest goes first: sizes that
  // nobody asks for any more. It goes when memory is asked for; when some is given
  // back, by a consumer who would wait, only what is another 16 MB too much.
  static std::shared_ptr<BufferPool> Make(int64_t max_bytes);

  // At least `size` bytes and 64 more that may be read past the end; kOutOfMemory if
  // the system has none.
  Result<Buffer> Allocate(int64_t size);

  int64_t bytes_in_use() const { return bytes_in_use_.load(std::memory_order_relaxed); }
  int64_t bytes_idle() const { return bytes_idle_.load(std::memory_order_relaxed); }

 private:
  friend class Buffer;
  explicit BufferPool(int64_t max_bytes);
  void Return(uint8_t* data, int64_t capacity);

  struct Idle {
    uint8_t* data;
    int64_t since;  // the buffers returned before it
  };
  struct Span {
    uint8_t* data;
    int64_t capacity;
  };

  // With mutex_: of the idle buffers of about this class the one that came back last,
  // or no data.
  Span TakeIdle(int index);
  // With mutex_: keeps a buffer that came back; false where there is no memory to note
  // it.
  bool AddIdle(uint8_t* data, int64_t capacity);
  // Frees what has lain idle longest before so much more is in use, if `slack` too much
  // may stay.
  void FreeSurplus(int64_t wanted, int64_t slack);
  // With mutex_.
  Span TakeOldest();
  void Free(const Span& span);

  static constexpr int kNumClasses = 64 * 4;  // four per power of two
  const int64_t max_bytes_;
  const int owner_;
  std::atomic<int64_t> bytes_in_use_{0};
  std::atomic<int64_t> bytes_idle_{0};
  // Held for moments; the heap's, while the system maps memory and takes it back.
  std::mutex mutex_;
  std::vector<Idle> idle_[kNumClasses];  // the latest at the back
  int64_t num_returned_ = 0;
  std::mutex heap_mutex_;
  HugeHeap heap_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_BUFFER_POOL_H_
