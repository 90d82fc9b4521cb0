// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which differences between a chunk's statistics and its column index are lies.
#include "core/filter/bounds/chunk_lie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "parquet/schema.h"
#include "testing/stated_index.h"

namespace rowfeed {
namespace {

using ::parquet::LogicalType;
using ::parquet::Repetition;
using ::parquet::Type;
using ::parquet::schema::PrimitiveNode;
using ::rowfeed::testing::StatedIndex;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr int64_t kRows = 10;

template <typename T>
std::string Coded(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

BoundOrder OrderOf(Type::type type, const std::shared_ptr<const LogicalType>& logical =
                                        LogicalType::None()) {
  const parquet::ColumnDescriptor column(
      PrimitiveNode::Make("x", Repetition::OPTIONAL, logical, type), 1, 0);
  return BoundOrder(column);
}

// The index of two pages of values and one of nulls between them.
StatedIndex Index(const std::string& min, const std::string& max,
                  const std::string& second_min, const std::string& second_max) {
  StatedIndex index;
  index.nulls = {false, true, false};
  index.mins = {min, "", second_min};
  index.maxs = {max, "", second_max};
  index.counts = {1, 3, 0};
  return index;
}

Bounds Chunk(const std::string& min, const std::string& max, int64_t num_nulls = 4) {
  Bounds bounds;
  bounds.num_values = kRows;
  bounds.num_nulls = num_nulls;
  bounds.min = min;
  bounds.max = max;
  return bounds;
}

TEST(ChunkLieTest, ValuesOfPagesOutsideOfTheChunkAreALie) {
  const BoundOrder order = OrderOf(Type::INT32);
  const StatedIndex index = Index(Coded(1), Coded(3), Coded(5), Coded(9));
  EXPECT_FALSE(LieOfChunk(order, index, Chunk(Coded(1), Coded(9))));
  EXPECT_FALSE(LieOfChunk(order, index, Chunk(Coded(-1), Coded(10))));  // wide
  for (const auto& [min, max] : {std::pair{1, 1}, {1, 3}, {2, 9}, {1, 8}, {20, 30}}) {
    EXPECT_THAT(LieOfChunk(order, index, Chunk(Coded(min), Coded(max))),
                Optional(HasSubstr("outside of the bounds")))
        << min << ", " << max;
  }
  Bounds unknown = Chunk("", "");
  unknown.DropMinMax();
  EXPECT_FALSE(LieOfChunk(order, index, unknown));
}

TEST(ChunkLieTest, AnotherNumberOfNullsIsALie) {
  const BoundOrder order = OrderOf(Type::INT32);
  StatedIndex index = Index(Coded(1), Coded(3), Coded(5), Coded(9));
  const auto nulls = [&](int64_t num_nulls) {
    return LieOfChunk(order, index, Chunk(Coded(1), Coded(9), num_nulls));
  };
  EXPECT_FALSE(nulls(4));
  EXPECT_THAT(nulls(0), Optional(HasSubstr("has 0 nulls, and its pages have 4")));
  EXPECT_TRUE(nulls(5));
  EXPECT_TRUE(nulls(kRows));
  index.counts.clear();  // the pages of nulls are left
  EXPECT_FALSE(nulls(4));
  EXPECT_TRUE(nulls(0));
  EXPECT_TRUE(nulls(kRows));
  index.nulls = {true, true, true};
  EXPECT_TRUE(nulls(4));
  EXPECT_FALSE(nulls(kRows));
  Bounds unknown = Chunk(Coded(1), Coded(9));
  unknown.num_nulls.reset();
  EXPECT_FALSE(LieOfChunk(order, index, unknown));
}

TEST(ChunkLieTest, AnIndexThatContradictsItselfProvesNothing) {
  const BoundOrder order = OrderOf(Type::INT32);
  const Bounds chunk = Chunk(Coded(1), Coded(1), 0);
  const StatedIndex sound = Index(Coded(1), Coded(3), Coded(5), Coded(9));
  EXPECT_TRUE(LieOfChunk(order, sound, chunk));
  std::vector<StatedIndex> others(7, sound);
  others[0].mins.pop_back();
  others[1].counts.pop_back();
  others[2].counts[2] = -1;
  others[3].counts[2] = kRows;
  others[4].counts[1] = 0;
  others[5].mins[0] = "";
  others[6].mins[2] = Coded(10);
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_FALSE(LieOfChunk(order, others[i], chunk)) << i;
  }
  EXPECT_FALSE(LieOfChunk(order, StatedIndex(), chunk));
}

TEST(ChunkLieTest, ZerosAreEqualAndNaNIsNoBound) {
  const BoundOrder order = OrderOf(Type::FLOAT);
  const Bounds chunk = Chunk(Coded(0.0F), Coded(1.0F));
  const auto lie = [&](float min, float max) {
    return LieOfChunk(order, Index(Coded(min), Coded(max), Coded(1.0F), Coded(1.0F)),
                      chunk);
  };
  EXPECT_FALSE(lie(-0.0F, 1.0F));
  EXPECT_FALSE(lie(NAN, NAN));
  EXPECT_TRUE(lie(-1.0F, 1.0F));
}

TEST(ChunkLieTest, BoundsOfStringsThatMayHaveBeenCutAreNoLie) {
  const BoundOrder order = OrderOf(Type::BYTE_ARRAY, LogicalType::String());
  struct Case {
    std::string page_min, page_max;
    bool is_lie;
    bool is_exact = true;
  };
  const std::string cut_a = "\xC3\xA4";   // a code point of two bytes
  const std::string raised = "\xC4\x80";  // may have been U+00FF
  const std::string highest = "m\xC3\xBF\xC3\xBF";
  for (const Case& c : std::vector<Case>{
           {"bcd", "mno", false},
           {"b", "mn", false},  // cut
           {"b", "mo", false},  // "mn", raised
           {"b", "n", false},   // cut to one byte, and raised
           {"b", "mp", true},   // no beginning of "mno" raised
           {"b", "o", true},
           {"bcc", "mno", true},  // below "bcd"
           {"a", "mno", true},
           {"bcd", "mnoz", true},  // longer than the exact greatest value
           {"bcd", "mnoz", false, false},
           {"bcd", "mnp", false, false},
           {"bcd", "mz", true, false},
           {"bcd", std::string("mno\0", 4), false},    // raised from "mno"
           {"bcd", std::string("mno\0\0", 5), false},  // raised from "mnn\xFF\xFF"
           {"bcd", "mo\x7F", false},                   // raised from "mn\x7F"
           {"bcd", "mo\xDF\xBF", false},               // raised from "mn\u07FF"
           {"bcd", "mo\xEF\xBF\xBF", false},           // raised from "mn\uFFFF"
           {"bcd", "mo\xF4\x8F\xBF\xBF", false},
           {"bcd", "mp\x7F", true},
           {"bcd", cut_a, false},  // may be any code point that is not ASCII
           {"bcd", "z" + cut_a, true},
       }) {
    Bounds chunk = Chunk("bcd", "mno");
    chunk.max_is_exact = c.is_exact;
    chunk.max_may_be_cut = true;
    const auto lie = LieOfChunk(order, Index(c.page_min, c.page_max, "c", "d"), chunk);
    EXPECT_EQ(lie.has_value(), c.is_lie) << c.page_min << ", " << c.page_max;
  }
  Bounds chunk = Chunk("a", highest);
  chunk.max_is_exact = true;
  EXPECT_FALSE(LieOfChunk(order, Index("a", "m" + raised, "c", "d"), chunk));
}

}  // namespace
}  // namespace rowfeed
