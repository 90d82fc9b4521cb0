// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_OWNED_MUTEX_H_
#define ROWFEED_CORE_OWNED_MUTEX_H_

#include <atomic>
#include <mutex>
#include <thread>

namespace rowfeed {

// A mutex that can tell a thread whether that thread holds it. Needed because code that
// asks Python whether to continue runs Python's signal handlers, which may call back
// into the code that asked.
class OwnedMutex {
 public:
  void lock() {
    mutex_.lock();
    owner_ = std::this_thread::get_id();
  }
  void unlock() {
    owner_ = std::thread::id();
    mutex_.unlock();
  }
  bool is_mine() const { return owner_ == std::this_thread::get_id(); }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_OWNED_MUTEX_H_
