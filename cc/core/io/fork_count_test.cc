// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/fork_count.h"

#include "gtest/gtest.h"
#include "testing/fork.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Fork;

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
