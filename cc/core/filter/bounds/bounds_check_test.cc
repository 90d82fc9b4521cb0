// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the comparison of values that are read with what was believed about them.
#include "core/filter/bounds/bounds_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "arrow/api.h"
#include "arrow/compute/initialize.h"
#include "testing/parquet_file.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::testing::HasSubstr;

template <typename T>
std::string Coded(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

Bounds Stated(int32_t min, int32_t max, int64_t num_values, int64_t num_nulls) {
  Bounds bounds;
  bounds.num_values = num_values;
  bounds.num_nulls = num_nulls;
  bounds.min = Coded(min);
  bounds.max = Coded(max);
  return bounds;
}

class BoundsCheckTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(arrow::compute::Initialize().ok()); }

  // Returns what the check finds in a row group of `group_rows` rows, of which the
  // values `json` are decoded.
  static std::string Found(
      const BelievedBounds& believed, const std::string& json, int64_t group_rows,
      int64_t begin = 0,
      const std::shared_ptr<arrow::DataType>& type = arrow::int32()) {
    const auto schema = arrow::schema({arrow::field("x", type)});
    const std::vector<BelievedBounds> all{believed};
    const testing::TempDir directory;
    std::ofstream(directory.File("x")) << "no bloom filter";
    const auto file = *OpenLocalFile(directory.File("x"));
    BoundsCheck check(*schema, all, *file, group_rows);
    check.Look(0, begin, *testing::ArrayOf(type, json));
    const auto lie = check.Found();
    return lie ? lie->what : "";
  }

  static std::string OfChunk(const Bounds& chunk, const std::string& json,
                             int64_t group_rows = 4) {
    return Found({0, chunk, {}, {}, nullptr}, json, group_rows);
  }
};

TEST_F(BoundsCheckTest, ValuesWithinTheBoundsAreNoLie) {
  EXPECT_EQ(OfChunk(Stated(1, 5, 4, 1), "[1, null, 5, 3]"), "");
  EXPECT_EQ(OfChunk(Stated(-9, 9, 4, 1), "[1, null, 5, 3]"), "");
  EXPECT_EQ(OfChunk(Stated(1, 5, 4, 1), "[1, 5]"), "");  // the other rows are not read
}

TEST_F(BoundsCheckTest, ValuesOutsideOfTheBoundsAreALie) {
  EXPECT_THAT(OfChunk(Stated(2, 5, 4, 0), "[3, 1]"),
              HasSubstr("has 1, which is below 2"));
  EXPECT_THAT(OfChunk(Stated(1, 4, 4, 0), "[3, 5]"),
              HasSubstr("has 5, which is above 4"));
}

TEST_F(BoundsCheckTest, NullCountsThatDoNotHoldAreALie) {
  EXPECT_THAT(OfChunk(Stated(1, 5, 4, 0), "[1, null]"), HasSubstr("nulls"));
  EXPECT_THAT(OfChunk(Stated(1, 5, 4, 3), "[1, 5]"), HasSubstr("nulls"));
  EXPECT_THAT(OfChunk(Stated(1, 5, 4, 2), "[1, null, 5, 5]"), HasSubstr("nulls"));
}

TEST_F(BoundsCheckTest, NaNIsOutsideOfAllBoundsAndZerosAreEqual) {
  Bounds bounds;
  bounds.num_values = 3;
  bounds.min = Coded(0.0F);
  bounds.max = Coded(0.0F);
  EXPECT_EQ(
      Found({0, bounds, {}, {}, nullptr}, "[NaN, -0.0, 0.0]", 3, 0, arrow::float32()),
      "");
  EXPECT_EQ(
      Found({0, bounds, {}, {}, nullptr}, "[NaN, NaN, NaN]", 3, 0, arrow::float32()),
      "");
}

TEST_F(BoundsCheckTest, AGreatestStringThatMayHaveBeenCutIsABeginning) {
  Bounds bounds;
  bounds.num_values = 2;
  bounds.min = "a";
  bounds.max = "mm";
  bounds.max_may_be_cut = true;
  const BelievedBounds believed{0, bounds, {}, {}, nullptr};
  EXPECT_EQ(Found(believed, R"(["b", "mmzz"])", 2, 0, arrow::large_utf8()), "");
  EXPECT_THAT(Found(believed, R"(["b", "mn"])", 2, 0, arrow::large_utf8()),
              HasSubstr("outside"));
  EXPECT_THAT(Found(believed, R"(["b", "A"])", 2, 0, arrow::large_utf8()),
              HasSubstr("outside"));
}

TEST_F(BoundsCheckTest, StringsAreComparedByAllOfTheirBytes) {
  Bounds bounds;
  bounds.num_values = 3;
  bounds.min = "beginning b";
  bounds.max = "beginning d";
  bounds.max_may_be_cut = true;
  const BelievedBounds believed{0, bounds, {}, {}, nullptr};
  const auto found = [&](const std::string& json) {
    return Found(believed, json, 3, 0, arrow::large_utf8());
  };
  EXPECT_EQ(found(R"(["beginning b", null, "beginning dz"])"), "");
  EXPECT_THAT(found(R"(["beginning az"])"), HasSubstr("outside"));
  EXPECT_THAT(found(R"(["beginning e"])"), HasSubstr("outside"));
  EXPECT_THAT(found(R"(["begin"])"), HasSubstr("outside"));
  EXPECT_THAT(found(R"([""])"), HasSubstr("outside"));
}

TEST_F(BoundsCheckTest, PagesAreComparedWhereTheirRowsAreRead) {
  const BelievedBounds believed{0,
                                std::nullopt,
                                {{2, 4}, {8, 10}},
                                {Stated(1, 2, 2, 0), Stated(7, 9, 2, 1)},
                                nullptr};
  EXPECT_EQ(Found(believed, "[50, 1, 2, 60]", 12, 1), "");
  EXPECT_THAT(Found(believed, "[50, 1, 3, 60]", 12, 1), HasSubstr("page of row 2"));
  EXPECT_EQ(Found(believed, "[7, null]", 12, 8), "");
  EXPECT_THAT(Found(believed, "[7, 8]", 12, 8), HasSubstr("fewer nulls than 1"));
  EXPECT_EQ(Found(believed, "[7]", 12, 8), "");
}

}  // namespace
}  // namespace rowfeed
