// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/parallel_for.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

TEST(ParallelForTest, CallsEachOnce) {
  for (const int num_threads : {-1, 0, 1, 2, 7}) {
    for (const size_t count : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> calls(count);
      ParallelFor(count, num_threads, [&](size_t i) { ++calls[i]; });
      for (const auto& call : calls) EXPECT_EQ(call, 1);
    }
  }
}

}  // namespace
}  // namespace rowfeed
