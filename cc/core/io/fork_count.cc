// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/fork_count.h"

#include <pthread.h>

#include <atomic>

namespace rowfeed {
namespace {

std::atomic<int> fork_count = 0;

// Runs before main, or while the library is loaded: no object that uses the count is
// older.
[[maybe_unused]] const int registered =
    pthread_atfork(nullptr, nullptr, [] { ++fork_count; });

}  // namespace

int ForkCount() { return fork_count.load(std::memory_order_relaxed); }

}  // namespace rowfeed
