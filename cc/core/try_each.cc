// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/try_each.h"

#include <atomic>
#include <utility>
#include <vector>

#include "core/guarded.h"
#include "core/parallel_for.h"
#include "core/problems.h"

namespace rowfeed {

Status TryEach(size_t count, int num_threads,
               const std::function<Status(size_t)>& body) {
  std::vector<Status> statuses(count);
  std::atomic<bool> is_over = false;
  ParallelFor(count, num_threads, [&](size_t i) {
    if (is_over) return;
    statuses[i] = RunGuarded([&] { return body(i); });
    if (EndsAll(statuses[i])) is_over = true;
  });
  Problems problems;
  for (Status& status : statuses) {
    if (EndsAll(status)) return std::move(status);
    problems.Add(std::move(status));
  }
  return problems.ToStatus();
}

}  // namespace rowfeed
