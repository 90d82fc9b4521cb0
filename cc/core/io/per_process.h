// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_PER_PROCESS_H_
#define ROWFEED_CORE_IO_PER_PROCESS_H_

#include <atomic>
#include <memory>
#include <utility>

#include "core/io/fork_count.h"

namespace rowfeed {

// Holds an object that has threads or locks, and so belongs to one process. In a forked
// child the parent's threads do not exist and its locks may be held for ever: the child
// leaves the parent's object alone (leaks it) and makes its own.
template <typename T>
class PerProcess {
 public:
  explicit PerProcess(std::unique_ptr<T> value) : own_(new Owned{std::move(value)}) {}
  ~PerProcess() {
    const Owned* own = own_.load();
    if (own->owner == ForkCount()) delete own;
  }
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  // Returns this process's object. In a child, the first call makes it: `make(const T&
  // parents)` returns a std::unique_ptr<T>, and must not take the parent's locks. If
  // several threads make one at once, one of them is kept.
  template <typename Make>
  T& Get(const Make& make) const {
    Owned* own = own_.load();
    if (own->owner == ForkCount()) return *own->value;
    auto made = std::make_unique<Owned>(make(std::as_const(*own->value)));
    if (own_.compare_exchange_strong(own, made.get())) return *made.release()->value;
    return *own->value;
  }

 private:
  struct Owned {
    explicit Owned(std::unique_ptr<T> made) : value(std::move(made)) {}

    const std::unique_ptr<T> value;
    const int owner = ForkCount();
  };

  mutable std::atomic<Owned*> own_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_PER_PROCESS_H_
