// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/per_process.h"

#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "testing/fork.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Fork;

// Counts the objects of this class that are alive.
class Counted {
 public:
  Counted(int value, int* alive) : value(value), alive_(alive) { ++*alive_; }
  ~Counted() { --*alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  int value;

 private:
  int* const alive_;
};

class PerProcessTest : public ::testing::Test {
 protected:
  Counted& Get() const {
    return held_->Get([this](const Counted& parents) {
      return std::make_unique<Counted>(parents.value + 1, alive_.get());
    });
  }

  const std::unique_ptr<int> alive_ = std::make_unique<int>(0);
  std::unique_ptr<PerProcess<Counted>> held_ =
      std::make_unique<PerProcess<Counted>>(std::make_unique<Counted>(7, alive_.get()));
};

TEST_F(PerProcessTest, IsMadeOnceInAProcess) {
  Get().value = 8;
  EXPECT_EQ(Get().value, 8);
  EXPECT_EQ(*alive_, 1);
  held_.reset();
  EXPECT_EQ(*alive_, 0);
}

TEST_F(PerProcessTest, IsMadeOnceInAForkedChildFromTheParents) {
  Get().value = 20;
  EXPECT_EQ(Fork([&] { return Get().value + Get().value; }), 42);
  EXPECT_EQ(Get().value, 20);
}

TEST_F(PerProcessTest, LeavesTheParentsAloneInAForkedChild) {
  const auto used = [&] {
    Get();
    held_.reset();
    return *alive_;
  };
  EXPECT_EQ(Fork(used), 1);
  const auto unused = [&] {
    held_.reset();
    return *alive_;
  };
  EXPECT_EQ(Fork(unused), 1);
}

}  // namespace
}  // namespace rowfeed
