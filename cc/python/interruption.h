// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_INTERRUPTION_H_
#define ROWFEED_PYTHON_INTERRUPTION_H_

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "python/gil.h"

namespace rowfeed {

// Tells long work that runs without the GIL whether to end: on Ctrl-C, because its user
// has given it up, or because Python exits. Any thread may ask. Python is asked now and
// then, only in the thread that made this object, which may be the main thread.
class Interruption {
 public:
  using IsAbandoned = std::function<bool()>;  // calls Python, so it needs the GIL

  explicit Interruption(IsAbandoned is_abandoned = {})
      : is_abandoned_(std::move(is_abandoned)) {}

  bool Asked() {
    if (std::this_thread::get_id() == maker_ && Clock::now() - asked_ > kPoll) {
      asked_ = Clock::now();
      const GilReturn back;
      if (!back.is_allowed()) {
        is_given_up_ = true;
        return true;
      }
      const pybind11::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() != 0) happened_ = true;
      if (!happened_ && is_abandoned_ && is_abandoned_()) is_given_up_ = true;
    }
    return happened_ || is_given_up_;
  }

  // Raises what the signal handler has raised, if it has. Needs the GIL.
  void Raise() const {
    if (happened_) throw pybind11::error_already_set();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPoll{100};

  const std::thread::id maker_ = std::this_thread::get_id();
  const IsAbandoned is_abandoned_;
  std::atomic<bool> happened_ = false;
  std::atomic<bool> is_given_up_ = false;
  Clock::time_point asked_ = Clock::now();
};

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_INTERRUPTION_H_
