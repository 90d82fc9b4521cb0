// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/task_pool.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <future>

namespace rowfeed {
namespace {

TEST(TaskPoolTest, ThreadsLeaveTheCpuToTheConsumer) {
  const int nice = getpriority(PRIO_PROCESS, 0);
  if (sched_getscheduler(0) != SCHED_OTHER || nice > 17) GTEST_SKIP();
  struct Found {
    int scheduler;
    int nice;
  };
  std::promise<Found> promise;
  TaskPool pool(1);
  pool.Submit(0, 1, [&](size_t) {
    promise.set_value({sched_getscheduler(0), getpriority(PRIO_PROCESS, 0)});
  });
  const Found found = promise.get_future().get();
  EXPECT_EQ(found.scheduler, SCHED_BATCH);
  EXPECT_EQ(found.nice, nice + 2);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), nice);
}

}  // namespace
}  // namespace rowfeed
