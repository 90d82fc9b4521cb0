// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_STATUS_MATCHERS_H_
#define ROWFEED_TESTING_STATUS_MATCHERS_H_

#include <ostream>
#include <string>

#include "core/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowfeed {

inline void PrintTo(const Status& status, std::ostream* out) {
  *out << "code " << static_cast<int>(status.code()) << " \"" << status.message()
       << '"';
}
template <typename T>
void PrintTo(const Result<T>& result, std::ostream* out) {
  PrintTo(result.status(), out);
}

namespace testing {

inline const Status& StatusOf(const Status& status) { return status; }
template <typename T>
const Status& StatusOf(const Result<T>& result) {
  return result.status();
}

// Matches a Status or Result with this code, whose message contains `substring`.
MATCHER_P2(StatusIs, code, substring,
           "has code " + ::testing::PrintToString(static_cast<int>(code)) +
               " and a message with \"" + std::string(substring) + "\"") {
  const Status& status = StatusOf(arg);
  return status.code() == code && status.message().find(substring) != std::string::npos;
}

MATCHER(IsOk, "is OK") { return StatusOf(arg).ok(); }

}  // namespace testing
}  // namespace rowfeed

#define ROWFEED_ASSERT_OK(expr) ASSERT_THAT((expr), ::rowfeed::testing::IsOk())
#define ROWFEED_EXPECT_OK(expr) EXPECT_THAT((expr), ::rowfeed::testing::IsOk())

#define ROWFEED_ASSERT_OK_AND_ASSIGN_IMPL_(result, lhs, expr) \
  auto result = (expr);                                       \
  ASSERT_THAT(result, ::rowfeed::testing::IsOk());            \
  lhs = *std::move(result)

#define ROWFEED_ASSERT_OK_AND_ASSIGN(lhs, expr)                                     \
  ROWFEED_ASSERT_OK_AND_ASSIGN_IMPL_(ROWFEED_CONCAT_(rowfeed_result_, __COUNTER__), \
                                     lhs, expr)

#endif  // ROWFEED_TESTING_STATUS_MATCHERS_H_
