// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/fork_count.h"

#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

// What `in_child` returns, as the exit status of a forked process.
template <typename InChild>
int Fork(InChild in_child) {
  const pid_t child = fork();
  if (child == 0) _exit(in_child());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(ForkCountTest, GrowsInTheChildAlone) {
  const int before = ForkCount();
  EXPECT_EQ(Fork([&] { return ForkCount() - before; }), 1);
  EXPECT_EQ(ForkCount(), before);
}

TEST(ForkCountTest, GrowsWithEachGeneration) {
  const int before = ForkCount();
  EXPECT_EQ(Fork([&] { return Fork([&] { return ForkCount() - before; }); }), 2);
}

}  // namespace
}  // namespace rowfeed
