// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_LRU_CACHE_H_
#define ROWFEED_CORE_LRU_CACHE_H_

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/status.h"

namespace rowfeed {

// A cache of values that can be made again, each with a number as its key. It keeps as
// many as fit in `max_bytes`, and drops the least recently used first. A dropped value
// lives on while somebody uses it. `Value` must have bytes_held(). Thread-safe: if two
// threads ask for the same value at once, it is made once.
template <typename Value>
class LruCache {
 public:
  using Pointer = std::shared_ptr<const Value>;

  explicit LruCache(int64_t max_bytes) : max_bytes_(max_bytes) {}

  // Returns the value; nullptr if it is not in the cache.
  Pointer Find(int64_t key) {
    const std::lock_guard lock(mutex_);
    return FindLocked(key);
  }

  // Returns the value, and makes it with make(), which returns a Result<Pointer>, if it
  // is not in the cache. make() is called without the lock. A value that alone is
  // larger than the limit is returned but not kept.
  template <typename Make>
  Result<Pointer> GetOrMake(int64_t key, const Make& make) {
    {
      std::unique_lock lock(mutex_);
      while (true) {
        if (Pointer found = FindLocked(key)) return found;
        if (being_made_.insert(key).second) break;
        made_.wait(lock);
      }
    }
    const Ending ending{this, key};  // runs also if `make` throws
    ROWFEED_ASSIGN_OR_RETURN(Pointer made, make());
    Insert(key, made);
    return made;
  }

  int64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Entry {
    int64_t key;
    Pointer value;
    int64_t bytes;
  };
  struct Ending {
    LruCache* cache;
    int64_t key;

    ~Ending() {
      const std::lock_guard lock(cache->mutex_);
      cache->being_made_.erase(key);
      cache->made_.notify_all();
    }
  };

  Pointer FindLocked(int64_t key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().value;
  }

  void Insert(int64_t key, Pointer value) {
    std::list<Entry> dropped;  // dropped values, destroyed after the lock is released
    const int64_t bytes = value->bytes_held();
    const std::lock_guard lock(mutex_);
    if (bytes > max_bytes_) return;
    while (bytes_ + bytes > max_bytes_) {
      bytes_ -= entries_.back().bytes;
      by_key_.erase(entries_.back().key);
      dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
    }
    entries_.push_front({key, std::move(value), bytes});
    by_key_[key] = entries_.begin();
    bytes_ += bytes;
  }

  const int64_t max_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable made_;
  std::unordered_set<int64_t> being_made_;
  int64_t bytes_ = 0;
  std::list<Entry> entries_;  // values in the cache, most recently used first
  std::unordered_map<int64_t, typename std::list<Entry>::iterator> by_key_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_LRU_CACHE_H_
