// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which rows pass a filter, found by decoding values and by what files state.
#include "core/filter/expression/row_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "arrow/api.h"
#include "arrow/compute/cast.h"
#include "arrow/compute/initialize.h"
#include "core/filter/expression/filter_columns.h"
#include "core/filter/pruner.h"
#include "core/filter/survivors.h"
#include "core/filter/survivors_codec.h"
#include "core/io/file_cache.h"
#include "parquet/properties.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::arrow::compute::Expression;
using ::arrow::compute::field_ref;
using ::arrow::compute::literal;
using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;

constexpr int64_t kRows = 100;
constexpr int64_t kGroupRows = 40;  // the last row group has 20

std::string Serialized(const Expression& expression) {
  return (*arrow::compute::Serialize(expression))->ToString();
}

Expression Less(const std::string& name, int64_t value) {
  return arrow::compute::less(field_ref(name), literal(value));
}

class RowFilterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(arrow::compute::Initialize().ok());
    // Small pages with a page index, so that a row group has several pages.
    auto properties = parquet::WriterProperties::Builder()
                          .enable_write_page_index()
                          ->disable_dictionary()
                          ->write_batch_size(5)
                          ->data_pagesize(1)
                          ->build();
    testing::WriteParquet(directory_.File("x.parquet"),
                          *testing::Int64Table({"row"}, kRows),
                          {.row_group_rows = kGroupRows, .properties = properties});
    auto catalog = Catalog::Open({directory_.path()}, std::nullopt, 2);
    ASSERT_THAT(catalog, IsOk());
    catalog_ = *catalog;
  }

  std::shared_ptr<const RowFilter> Make(const Expression& expression) {
    auto filter = RowFilter::Make(Serialized(expression), *catalog_);
    EXPECT_THAT(filter, IsOk());
    return *filter;
  }

  Survivors Count(const Expression& expression, int64_t block_rows = 0) {
    auto survivors =
        CountSurvivors(*catalog_, *Make(expression),
                       {.block_rows = block_rows, .share = {}, .num_threads = 2}, {});
    EXPECT_THAT(survivors, IsOk());
    return *survivors;
  }

  testing::TempDir directory_;
  std::shared_ptr<const Catalog> catalog_;
};

TEST_F(RowFilterTest, CountsAndSpansAreOfEachBlock) {
  const Survivors survivors = Count(Less("row", 55));
  EXPECT_THAT(*survivors.counts, ElementsAre(40, 15, 0));
  EXPECT_EQ(survivors.spans[1].begin, 0);
  EXPECT_EQ(survivors.spans[1].end, 15);
  EXPECT_EQ(survivors.num_rows(), 55);
}

TEST_F(RowFilterTest, BlocksAreCutAsThePlanCutsThem) {
  // Row groups of 40 rows have blocks of 13, 13 and 14 rows; that of 20 rows has two of
  // 10.
  const Survivors survivors = Count(Less("row", 55), 14);
  EXPECT_THAT(*survivors.counts, ElementsAre(13, 13, 14, 13, 2, 0, 0, 0));
  EXPECT_EQ(survivors.spans[4].begin, 13);
  EXPECT_EQ(survivors.spans[4].end, 15);
}

TEST_F(RowFilterTest, WhatAFileSaysAndWhatIsDecodedAgree) {
  for (const Expression& expression :
       {Less("row", 0), Less("row", 41), Less("row", kRows),
        arrow::compute::not_(Less("row", 41)),
        arrow::compute::equal(field_ref("row"), literal(int64_t{77}))}) {
    const auto filter = Make(expression);
    const Survivors pruned = Count(expression);
    const CatalogFile& file = catalog_->files()[0];
    const CachedFile opened(std::make_shared<FileCache>(1), file.path, file.version());
    PageLocator locator(catalog_.get(), 1 << 20);
    for (int64_t group = 0; group < 3; ++group) {
      const auto rows =
          filter->Select(*catalog_, group, {0, catalog_->row_groups()[group].rows},
                         opened, &locator, BufferPool::Make(1 << 20), nullptr);
      ASSERT_THAT(rows, IsOk());
      EXPECT_EQ(std::ssize(*rows), (*pruned.counts)[group]) << expression.ToString();
    }
  }
}

TEST_F(RowFilterTest, ThePageIndexNarrowsTheRowsToLookAt) {
  const auto filter =
      Make(arrow::compute::equal(field_ref("row"), literal(int64_t{52})));
  const CatalogFile& file = catalog_->files()[0];
  const CachedFile opened(std::make_shared<FileCache>(1), file.path, file.version());
  auto pruner = Pruner::Open(*catalog_, 0, *filter, opened);
  ASSERT_THAT(pruner, IsOk());
  EXPECT_TRUE(pruner->Prune(catalog_->row_groups()[0])->rows.empty());
  const Result<Candidates> second = pruner->Prune(catalog_->row_groups()[1]);
  ASSERT_THAT(second, IsOk());
  ASSERT_EQ(second->rows.size(), 1U);
  EXPECT_LE(second->rows[0].begin, 12);
  EXPECT_GT(second->rows[0].end, 12);
  EXPECT_LE(second->rows[0].size(), 10);
}

TEST_F(RowFilterTest, NothingIsPrunedByCastsThatMayChangeIntegersOrByNaN) {
  const auto cast = [](const std::shared_ptr<arrow::DataType>& type) {
    return arrow::compute::call("cast", {field_ref("row")},
                                arrow::compute::CastOptions::Unsafe(type));
  };
  const auto is_pruned = [&](const Expression& expression) {
    const auto filter = Make(expression);
    const CatalogFile& file = catalog_->files()[0];
    const CachedFile opened(std::make_shared<FileCache>(1), file.path, file.version());
    auto pruner = Pruner::Open(*catalog_, 0, *filter, opened);
    EXPECT_THAT(pruner, IsOk());
    return pruner->Prune(catalog_->row_groups()[0])->rows.empty();
  };
  const auto less = [](const Expression& value, const auto& than) {
    return arrow::compute::less(value, literal(than));
  };
  EXPECT_TRUE(is_pruned(less(field_ref("row"), -0.5)));
  EXPECT_TRUE(is_pruned(less(cast(arrow::float64()), -0.5)));
  EXPECT_TRUE(is_pruned(less(cast(arrow::int64()), int64_t{-1})));
  EXPECT_FALSE(is_pruned(less(cast(arrow::uint64()), uint64_t{0})));
  EXPECT_FALSE(is_pruned(less(cast(arrow::float32()), -0.5F)));
  EXPECT_FALSE(is_pruned(arrow::compute::greater(field_ref("row"), literal(NAN))));
}

TEST_F(RowFilterTest, CountingEndsWhenItIsCancelled) {
  const auto filter = Make(Less("row", 7));
  EXPECT_THAT(CountSurvivors(*catalog_, *filter, {}, [] { return true; }),
              StatusIs(StatusCode::kCancelled, ""));
}

TEST_F(RowFilterTest, AShareHasItsRowGroupsAlone) {
  const auto filter = Make(Less("row", 85));
  const auto even = CountSurvivors(*catalog_, *filter, {.share = {0, 2}}, {});
  ASSERT_THAT(even, IsOk());
  EXPECT_THAT(*even->counts, ElementsAre(40, 0, 5));
  const auto odd = CountSurvivors(*catalog_, *filter, {.share = {1, 2}}, {});
  ASSERT_THAT(odd, IsOk());
  EXPECT_THAT(*odd->counts, ElementsAre(0, 40, 0));
}

TEST_F(RowFilterTest, SurvivorsGoThroughBytes) {
  const std::string filter = Serialized(Less("row", 55));
  const SurvivorsCodec codec(*catalog_, filter, 14);
  const Survivors survivors = Count(Less("row", 55), 14);
  const std::string bytes = codec.Serialize(survivors);
  const auto parsed = codec.Parse(bytes);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(*parsed->counts, *survivors.counts);
  EXPECT_FALSE(SurvivorsCodec(*catalog_, filter, 15).Parse(bytes).has_value());
  EXPECT_FALSE(SurvivorsCodec(*catalog_, "other", 14).Parse(bytes).has_value());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(codec.Parse(std::string_view(bytes).substr(0, size)).has_value());
    std::string damaged = bytes;
    damaged[size] = static_cast<char>(damaged[size] ^ 1);
    EXPECT_FALSE(codec.Parse(damaged).has_value());
  }
}

TEST_F(RowFilterTest, BytesOfAnyOriginAreNoFilter) {
  const std::string bytes = Serialized(Less("row", 55));
  for (size_t size = 1; size < bytes.size(); size += 7) {
    EXPECT_THAT(FilterColumns(bytes.substr(0, size)),
                StatusIs(StatusCode::kInvalid, "not a filter"));
  }
  EXPECT_THAT(FilterColumns("anything"), StatusIs(StatusCode::kInvalid, ""));
}

TEST_F(RowFilterTest, ColumnsAreThoseOfTheExpression) {
  const Expression nested =
      arrow::compute::less(field_ref(arrow::FieldRef("user", "age")), field_ref("row"));
  EXPECT_THAT(*FilterColumns(Serialized(nested)), ElementsAre("row", "user.age"));
}

TEST_F(RowFilterTest, FunctionsAreThoseThatTheExpressionCallsAtAnyDepth) {
  const Expression passes = arrow::compute::less(
      arrow::compute::call("abs", {arrow::compute::call("abs", {field_ref("row")})}),
      literal(1));
  EXPECT_THAT(*FilterFunctions(Serialized(passes)), ElementsAre("abs", "less"));
  EXPECT_THAT(*FilterFunctions(Serialized(field_ref("row"))), ElementsAre());
}

TEST_F(RowFilterTest, WhatIsWrongIsSaidWithItsTypes) {
  EXPECT_THAT(RowFilter::Make(Serialized(Less("nope", 1)), *catalog_),
              StatusIs(StatusCode::kKey, "nope"));
  const Expression text = arrow::compute::equal(field_ref("row"), literal("x"));
  EXPECT_THAT(RowFilter::Make(Serialized(text), *catalog_),
              StatusIs(StatusCode::kType, "column 'row' is int64"));
}

TEST_F(RowFilterTest, WhatIsWrongIsSaidOfTheOptionThatAsksForIt) {
  const auto split = [](const std::string& by) {
    return Less("__split:by:0:" + by, 1);
  };
  EXPECT_THAT(RowFilter::Make(Serialized(split("nope")), *catalog_),
              StatusIs(StatusCode::kKey, "split: there is no column 'nope'"));
  EXPECT_THAT(RowFilter::Make(Serialized(split("__row_group")), *catalog_),
              StatusIs(StatusCode::kKey, "give unit='row_group' in its place"));
  EXPECT_THAT(RowFilter::Make(Serialized(split("__step")), *catalog_),
              StatusIs(StatusCode::kKey, "split: there is no column '__step'"));
  const auto both = arrow::compute::and_(Less("nope", 1), split("row"));
  EXPECT_THAT(RowFilter::Make(Serialized(both), *catalog_),
              StatusIs(StatusCode::kKey, "filter: there is no column 'nope'"));
  const auto wrong = arrow::compute::and_(
      arrow::compute::equal(field_ref("row"), literal("x")), split("row"));
  EXPECT_THAT(RowFilter::Make(Serialized(wrong), *catalog_),
              StatusIs(StatusCode::kType, "(column 'row' is int64)"));
  EXPECT_EQ(FilterOptions(Serialized(both)), "filter and split");
  EXPECT_EQ(FilterOptions(Serialized(split("row"))), "split");
  EXPECT_EQ(FilterOptions(Serialized(Less("__row", 1))), "filter");
}

}  // namespace
}  // namespace rowfeed
