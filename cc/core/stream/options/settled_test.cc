// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/settled.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/type.h"
#include "core/catalog/catalog.h"
#include "gtest/gtest.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using Fields = std::vector<testing::TestColumn>;

testing::TestColumn X(const std::shared_ptr<arrow::DataType>& type,
                      const std::string& json) {
  return {arrow::field("x", type), json};
}

// Data sets of two files, a.parquet and b.parquet, that differ in their columns.
class SettledTest : public ::testing::Test {
 protected:
  void Write(const Fields& a, const Fields& b) {
    testing::WriteParquet(a_, *testing::TableOf(a));
    testing::WriteParquet(b_, *testing::TableOf(b));
    ROWFEED_ASSERT_OK_AND_ASSIGN(
        catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  }

  Status Check(const ColumnSpec& spec = {.column = "x"}) const {
    return CheckSettled({spec}, *catalog_);
  }

  // Returns what the error over column x says after the types in the files; "" if there
  // is no error.
  std::string Advice(const ColumnSpec& spec = {.column = "x"}) const {
    const Status status = Check(spec);
    if (status.ok()) return {};
    EXPECT_EQ(status.code(), StatusCode::kInvalid);
    const std::string begin = "b.parquet: ";
    return status.message().substr(status.message().find(begin) + begin.size());
  }

  testing::TempDir directory_;
  const std::string a_ = directory_.File("a.parquet");
  const std::string b_ = directory_.File("b.parquet");
  std::shared_ptr<const Catalog> catalog_;
};

constexpr char kNothingDoes[] =
    "no option makes these one; leave the column out of columns=, or give the files of "
    "one type";

TEST_F(SettledTest, FilesThatAgreeNeedNothing) {
  Write({X(arrow::int32(), "[1]")}, {X(arrow::int32(), "[2]")});
  ROWFEED_EXPECT_OK(Check());
}

TEST_F(SettledTest, TheErrorHasEachTypeWithItsFilesAndWhatToGive) {
  Write({X(arrow::int32(), "[1]")}, {X(arrow::int64(), "[2]")});
  EXPECT_EQ(Check().message(),
            "the files differ in their columns:\n  'x' is int32 in " + a_ +
                ", int64 in " + b_ + ": give Column(\"x\", dtype=\"int64\")");
}

TEST_F(SettledTest, NumbersNeedTheDTypeThatHoldsAll) {
  Write({X(arrow::int32(), "[1]")}, {X(arrow::uint32(), "[2]")});
  EXPECT_EQ(Advice(), "give Column(\"x\", dtype=\"int64\")");
  Write({X(arrow::int8(), "[1]")}, {X(arrow::uint8(), "[2]")});
  EXPECT_EQ(Advice(), "give Column(\"x\", dtype=\"int16\")");
  Write({X(arrow::int32(), "[1]")}, {X(arrow::float32(), "[2]")});
  EXPECT_EQ(Advice(), "give Column(\"x\", dtype=\"float64\")");
  EXPECT_EQ(Advice({.column = "x", .dtype = DType::kFloat64}), "");
}

TEST_F(SettledTest, StringsBesideBinariesAreBinary) {
  Write({X(arrow::utf8(), R"(["a"])")}, {X(arrow::binary(), R"(["b"])")});
  EXPECT_EQ(Advice(), "give Column(\"x\", dtype=\"binary\")");
  EXPECT_EQ(Advice({.column = "x", .encoding = {nullptr, /*num_buckets=*/5}}), "");
}

TEST_F(SettledTest, TimesNeedTheFinestUnit) {
  Write({X(arrow::timestamp(arrow::TimeUnit::MILLI), "[1]")},
        {X(arrow::timestamp(arrow::TimeUnit::NANO), "[2]")});
  EXPECT_EQ(Advice(), "give Column(\"x\", unit=\"ns\")");
  EXPECT_EQ(Advice({.column = "x", .unit = "us"}), "");
}

TEST_F(SettledTest, ListsNeedTheShapeThatAFileRemembers) {
  Write({X(arrow::list(arrow::int64()), "[[1, 2]]")},
        {X(arrow::fixed_size_list(arrow::int64(), 2), "[[3, 4]]")});
  EXPECT_EQ(Advice(), "give Column(\"x\", shape=(2,))");
  ColumnSpec spec{.column = "x"};
  spec.shape = {2};
  EXPECT_EQ(Advice(spec), "");
}

TEST_F(SettledTest, AColumnThatAFileLacksNeedsAFillOfItsDType) {
  const testing::TestColumn y = {arrow::field("y", arrow::int64()), "[2]"};
  Write({X(arrow::float32(), "[1]"), y}, {y});
  EXPECT_EQ(Check().message(),
            "the files differ in their columns:\n  'x' is float in " + a_ +
                ", missing in " + b_ + ": give Column(\"x\", fill=0.0)");
  EXPECT_EQ(Advice({.column = "x", .mask = Mask::kRows}), "");
  Write({X(arrow::utf8(), R"(["a"])"), y}, {y});
  EXPECT_EQ(Advice(), "give Column(\"x\", fill=\"\")");
  Write({X(arrow::boolean(), "[true]"), y}, {y});
  EXPECT_EQ(Advice(), "give Column(\"x\", fill=False)");
  EXPECT_EQ(Advice({.column = "x", .fill = std::string(1, '\0')}), "");
}

TEST_F(SettledTest, TypesThatNoOptionMakesOneAreSaidToBeSuch) {
  Write({X(arrow::int64(), "[1]")}, {X(arrow::utf8(), R"(["a"])")});
  EXPECT_EQ(Advice(), kNothingDoes);
  EXPECT_EQ(Advice({.column = "x", .dtype = DType::kInt64}), kNothingDoes);
  Write({X(arrow::fixed_size_list(arrow::int64(), 1), "[[1]]")},
        {X(arrow::fixed_size_list(arrow::int64(), 2), "[[3, 4]]")});
  EXPECT_EQ(Advice(), kNothingDoes);
}

TEST_F(SettledTest, TenColumnsAreListedAndTheOthersCounted) {
  Fields a;
  Fields b;
  std::vector<ColumnSpec> specs;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "c" + std::to_string(i);
    a.push_back({arrow::field(name, arrow::int32()), "[1]"});
    b.push_back({arrow::field(name, arrow::int64()), "[1]"});
    specs.push_back({.column = name});
  }
  Write(a, b);
  const std::string message = CheckSettled(specs, *catalog_).message();
  EXPECT_NE(message.find("Column(\"c9\", dtype"), std::string::npos);
  EXPECT_EQ(message.find("Column(\"c10\", dtype"), std::string::npos);
  EXPECT_TRUE(message.ends_with("\n  and 2 more")) << message;
}

TEST_F(SettledTest, AFilterNeedsItsColumnInEachFileOrAFill) {
  const testing::TestColumn y = {arrow::field("y", arrow::int64()), "[2]"};
  Write({X(arrow::int64(), "[1]"), y}, {y});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const int x, catalog_->ColumnIndex("x"));
  EXPECT_THAT(CheckFilterSettled({x}, {"filter"}, {{.column = "y"}}, *catalog_),
              testing::StatusIs(StatusCode::kInvalid,
                                "filter: 'x' is int64 in " + a_ + ", missing in " + b_ +
                                    ": a filter sees null in such files"));
  ROWFEED_EXPECT_OK(CheckFilterSettled({x}, {"filter"}, {{.column = "x"}}, *catalog_));
}

}  // namespace
}  // namespace rowfeed
