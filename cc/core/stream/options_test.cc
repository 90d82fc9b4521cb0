// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options.h"

#include <string>

#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

TEST(StreamOptionsTest, SerializationRoundTripsAndRefusesGarbage) {
  StreamOptions options;
  options.features = {{"a", {}}, {"b", "\0\1"}, {"c", ""}};
  options.order = {true, 5, 6, 7, 8};
  options.delivery = {9, 1, 2, Remainder::kPad};
  options.pinned_epoch = 3;
  options.batches_per_arena = 4;
  const std::string bytes = options.Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions parsed, StreamOptions::Parse(bytes));
  EXPECT_EQ(parsed.Serialize(), bytes);
  EXPECT_TRUE(parsed.features[2].fill.has_value());
  EXPECT_FALSE(parsed.features[0].fill.has_value());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(StreamOptions::Parse(bytes.substr(0, size)).ok());
  }
  EXPECT_FALSE(StreamOptions::Parse(bytes + "x").ok());
}

}  // namespace
}  // namespace rowfeed
