// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_OWNED_MUTEX_H_
#define ROWFEED_CORE_OWNED_MUTEX_H_

#include <atomic>
#include <mutex>
#include <thread>

namespace rowfeed {

// A mutex of which a thread can tell that it holds it. What asks Python whether to go
// on runs signal handlers there, which may call whoever asked.
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
