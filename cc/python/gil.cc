// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/gil.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>

namespace rowfeed {
namespace {

// The number of GilReturns, and the thread that alone may still take the GIL, if any.
// The order of the accesses matters: a thread counts itself before it looks whether it
// may go on, and BeginExit says that it may not before it looks at the count.
std::atomic<int> num_returns = 0;
std::atomic<bool> has_begun = false;
std::thread::id exiting_thread;  // written before has_begun

// The threads that are counted are not in the child.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] {
  num_returns = 0;
  has_begun = false;
});

bool CountAndAsk() {
  ++num_returns;
  return !has_begun || exiting_thread == std::this_thread::get_id();
}

}  // namespace

GilReturn::GilReturn() : is_allowed_(CountAndAsk()) {}

GilReturn::~GilReturn() { --num_returns; }

GilReleased::~GilReleased() {
  std::optional<GilReturn> back(std::in_place);
  if (back->is_allowed()) {
    PyEval_RestoreThread(thread_);
    return;
  }
  back.reset();
  while (true) pause();  // It returns after each signal.
}

void BeginExit() {
  exiting_thread = std::this_thread::get_id();
  has_begun = true;
  const GilReleased released;
  while (num_returns > 0) std::this_thread::yield();
}

}  // namespace rowfeed
