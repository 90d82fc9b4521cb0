// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/order_identity.h"

#include <memory>
#include <string>
#include <vector>

#include "core/filter/expression/filter_columns.h"
#include "core/stream/options/mixture_options.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

StreamOptions Source(uint64_t seed) {
  StreamOptions options;
  options.order = {true, seed, 1000, 0, 3};
  return options;
}

std::string Text(const StreamOptions& options,
                 const std::vector<std::string>& fingerprints) {
  std::string text;
  for (const OrderValue& each : OrderIdentity(options, fingerprints)) {
    text += each.name + "=" + each.value + "\n";
  }
  return text;
}

// Checkpoints of earlier builds hold these values.
TEST(OrderIdentityTest, ValuesAreThoseOfEarlierReleases) {
  EXPECT_EQ(Text(Source(uint64_t{1} << 63), {"abc"}),
            "data=abc\norder version=1\nshuffle=1\nseed=9223372036854775808\n"
            "shuffle_window=1000\nblock_rows=0\nnum_lanes=3\npinned_epoch=-1\n"
            "filter=-\n");
}

TEST(OrderIdentityTest, ThePinnedEpochAndTheFilterBelongToIt) {
  StreamOptions options = Source(1);
  options.pinned_epoch = 4;
  options.filter = "an expression";
  const std::string text = Text(options, {"abc"});
  EXPECT_NE(text.find("pinned_epoch=4\nfilter=" + FilterDigest("an expression")),
            std::string::npos);
}

TEST(OrderIdentityTest, DeliveryDoesNotBelongToIt) {
  StreamOptions options = Source(1);
  options.delivery = {64, 1, 2, Remainder::kDrop};
  options.num_epochs = std::nullopt;
  options.num_threads = 5;
  options.cache_dir = "somewhere";
  EXPECT_EQ(Text(options, {"abc"}), Text(Source(1), {"abc"}));
}

TEST(OrderIdentityTest, GrowingDataHasNoFingerprint) {
  StreamOptions options = Source(1);
  options.growth = GrowthOptions{{"paths"}, "snapshots"};
  EXPECT_EQ(OrderIdentity(options, {"abc"})[0].value, "growing");
}

TEST(OrderIdentityTest, MixturesAreTheirSourcesThenStopAndWeights) {
  auto mixture = std::make_shared<MixtureOptions>();
  mixture->sources = {Source(1), Source(2)};
  mixture->stop = StopRule::kAllExhausted;
  mixture->weights = {{0, {3, 1}}, {5, {1, 1}}};
  StreamOptions options;
  options.mixture = mixture;
  const std::vector<OrderValue> values = OrderIdentity(options, {"abc", "def"});
  ASSERT_EQ(values.size(), 20U);
  EXPECT_EQ(values[0].name, "data of source 0");
  EXPECT_EQ(values[9].name, "data of source 1");
  EXPECT_EQ(values[9].value, "def");
  EXPECT_EQ(values[12].name, "seed of source 1");
  EXPECT_EQ(values[12].value, "2");
  EXPECT_EQ(values[18].name, "stop");
  EXPECT_EQ(values[18].value, "1");
  EXPECT_EQ(values[19].name, "weights");
  EXPECT_EQ(values[19].value, "0:3,1;5:1,1;");
}

}  // namespace
}  // namespace rowfeed
