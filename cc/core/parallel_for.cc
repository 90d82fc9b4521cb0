// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace rowfeed {

void ParallelFor(size_t count, int num_threads,
                 const std::function<void(size_t)>& body) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::jthread> threads;  // joins its threads, whatever happens
  const auto start_thread = [&] {
    try {
      threads.emplace_back(work);
      return true;
    } catch (const std::system_error&) {
      return false;  // the running threads, this one included, do the work
    }
  };
  const size_t wanted = std::min<size_t>(std::max(num_threads, 1), count);
  while (threads.size() + 1 < wanted && start_thread()) {
  }
  work();
}

}  // namespace rowfeed
