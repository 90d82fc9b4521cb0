// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/try_each.h"

#include <atomic>
#include <stdexcept>
#include <string>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;

TEST(TryEachTest, CallsEachAndSaysAllThatWentWrong) {
  std::atomic<int> num_calls = 0;
  const Status status = TryEach(10, 3, [&](size_t i) -> Status {
    ++num_calls;
    return i % 4 == 1 ? Status(StatusCode::kInvalid, "file " + std::to_string(i))
                      : Status();
  });
  EXPECT_EQ(num_calls, 10);
  EXPECT_THAT(status, StatusIs(StatusCode::kInvalid,
                               "3 problems:\n  file 1\n  file 5\n  file 9"));
  EXPECT_TRUE(TryEach(5, 2, [](size_t) { return Status(); }).ok());
}

TEST(TryEachTest, WhoDoesNotAnswerIsNotAskedForTheRest) {
  for (const StatusCode code : {StatusCode::kUnavailable, StatusCode::kCancelled}) {
    std::atomic<int> num_calls = 0;
    const Status status = TryEach(1000, 1, [&](size_t i) {
      ++num_calls;
      return Status(i == 0 ? StatusCode::kInvalid : code, "no answer");
    });
    EXPECT_EQ(num_calls, 2);
    EXPECT_THAT(status, StatusIs(code, "no answer"));
  }
}

TEST(TryEachTest, AnExceptionInAnyThreadIsAStatus) {
  const Status status = TryEach(10, 3, [](size_t i) -> Status {
    if (i % 2 == 1) throw std::runtime_error("thrown");
    return {};
  });
  EXPECT_THAT(status, StatusIs(StatusCode::kInternal, "5 problems:\n  thrown"));
}

}  // namespace
}  // namespace rowfeed
