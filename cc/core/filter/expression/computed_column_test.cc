// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the columns of a filter that are in no file.
#include "core/filter/expression/computed_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/api.h"
#include "core/filter/expression/value_hash.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Lt;

constexpr int64_t kRows = 100;

class ComputedColumnTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a.parquet", "b.parquet"}) {
      testing::WriteParquet(directory_.File(name), *testing::Int64Table({"x"}, kRows),
                            {.row_group_rows = 40});
    }
    auto catalog = Catalog::Open({directory_.path()}, std::nullopt, 1);
    ASSERT_THAT(catalog, IsOk());
    catalog_ = *catalog;
  }

  std::vector<int64_t> Values(const std::string& name, int64_t group, Interval rows) {
    const auto column = ComputedColumn::Parse(name);
    const auto array =
        column->Compute(*catalog_, catalog_->row_groups()[group], rows, nullptr);
    EXPECT_THAT(array, IsOk());
    const auto& values = static_cast<const arrow::Int64Array&>(**array);
    return {values.raw_values(), values.raw_values() + values.length()};
  }

  testing::TempDir directory_;
  std::shared_ptr<const Catalog> catalog_;
};

TEST_F(ComputedColumnTest, PlacesAreThoseOfProvenanceColumns) {
  EXPECT_THAT(Values("__file", 4, {3, 5}), ElementsAre(1, 1));
  EXPECT_THAT(Values("__row_group", 4, {3, 5}), ElementsAre(1, 1));
  EXPECT_THAT(Values("__row", 4, {3, 5}), ElementsAre(3, 4));
}

TEST_F(ComputedColumnTest, HashesOfPartsOfARowGroupAreThoseOfTheWhole) {
  const std::vector<int64_t> all = Values("__split:row:7", 1, {0, 40});
  const std::vector<int64_t> some = Values("__split:row:7", 1, {11, 29});
  EXPECT_EQ(std::vector(all.begin() + 11, all.begin() + 29), some);
  EXPECT_THAT(all, Each(Ge(0)));
  EXPECT_NE(all, Values("__split:row:8", 1, {0, 40}));
  EXPECT_NE(all, Values("__split:row:7", 0, {0, 40}));
  EXPECT_NE(all, Values("__split:row:7", 4, {0, 40}));  // the same group of b.parquet
}

TEST_F(ComputedColumnTest, RangesHoldAllValues) {
  for (const std::string name :
       {"__file", "__row_group", "__row", "__split:row_group:3", "__split:file:3"}) {
    for (int64_t group = 0; group < 6; ++group) {
      const RowGroup& row_group = catalog_->row_groups()[group];
      const auto range = ComputedColumn::Parse(name)->RangeIn(*catalog_, row_group);
      ASSERT_TRUE(range.has_value()) << name;
      EXPECT_THAT(Values(name, group, {0, row_group.rows}),
                  Each(AllOf(Ge(range->least), Lt(range->greatest + 1))));
    }
  }
  const RowGroup& first = catalog_->row_groups()[0];
  EXPECT_FALSE(ComputedColumn::Parse("__split:row:3")->RangeIn(*catalog_, first));
}

TEST(ComputedColumn, NamesThatAreNoneOfOursAreNone) {
  for (const std::string name :
       {"", "x", "__rows", "__split", "__split:", "__split:row", "__split:row:",
        "__split:row:x", "__split:row:-1", "__split:row:99999999999999999999",
        "__split:page:1", "__split:by:1", "__split:by:1:", "__split:by::x"}) {
    EXPECT_FALSE(ComputedColumn::Parse(name).has_value()) << name;
  }
  EXPECT_EQ(ComputedColumn::Parse("__split:by:1:a:b")->source(), "a:b");
  EXPECT_EQ(ComputedColumn::Parse("__split:file:1")->source(), "");
}

std::vector<int64_t> HashesOf(const std::shared_ptr<arrow::DataType>& type,
                              std::string_view json) {
  const auto values = testing::ArrayOf(type, json);
  std::vector<int64_t> hashes(values->length());
  EXPECT_THAT(HashValues(*values, 7, hashes.data()), IsOk());
  return hashes;
}

TEST(HashValues, EqualValuesHaveEqualHashesInAllWidths) {
  const std::vector<int64_t> integers = HashesOf(arrow::int64(), "[null, -3, 0, 99]");
  EXPECT_EQ(HashesOf(arrow::int8(), "[null, -3, 0, 99]"), integers);
  EXPECT_EQ(HashesOf(arrow::date32(), "[null, -3, 0, 99]"), integers);
  const std::vector<int64_t> floats = HashesOf(arrow::float64(), "[null, 0.5, 0.0]");
  EXPECT_EQ(HashesOf(arrow::float32(), "[null, 0.5, -0.0]"), floats);
  EXPECT_EQ(HashesOf(arrow::float16(), "[null, 0.5, -0.0]"), floats);
  EXPECT_EQ(floats[0], integers[0]);  // null
}

TEST(HashValues, TheHashIsXxh3OfTheBytes) {
  // The values are xxhash.xxh3_64_intdigest(value, seed=7) >> 1 of the Python package.
  const std::vector<int64_t> expected = {2630009250917764233, 5232461777812176732};
  EXPECT_EQ(HashesOf(arrow::large_utf8(), R"(["abc", ""])"), expected);
  EXPECT_EQ(HashesOf(arrow::large_binary(), R"(["abc", ""])"), expected);
}

TEST(HashValues, ListsHaveNone) {
  const auto lists = testing::ArrayOf(arrow::list(arrow::int8()), "[]");
  EXPECT_THAT(HashValues(*lists, 7, nullptr),
              StatusIs(StatusCode::kUnsupported, "list<item: int8> have no hash"));
}

}  // namespace
}  // namespace rowfeed
