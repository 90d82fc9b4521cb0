// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how processes each count a share of the rows that pass a filter, and then all
// know the whole.
#include "core/stream/epochs/dataset_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "arrow/api.h"
#include "arrow/compute/api.h"
#include "arrow/compute/initialize.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;

class DatasetRowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(arrow::compute::Initialize().ok());
    testing::WriteParquet(directory_.File("x.parquet"),
                          *testing::Int64Table({"row"}, 100), {.row_group_rows = 20});
    auto catalog = Catalog::Open({directory_.path()}, std::nullopt, 2);
    ASSERT_THAT(catalog, IsOk());
    catalog_ = *catalog;
    const auto less = arrow::compute::less(arrow::compute::field_ref("row"),
                                           arrow::compute::literal(int64_t{85}));
    options_.filter = (*arrow::compute::Serialize(less))->ToString();
    options_.order.block_rows = 7;
    options_.num_threads = 2;
  }

  DatasetRows Rows() const { return DatasetRows(catalog_, options_); }

  testing::TempDir directory_;
  testing::TempDir cache_;
  std::shared_ptr<const Catalog> catalog_;
  StreamOptions options_;
};

TEST_F(DatasetRowsTest, SharesMakeTheWholeInAnyOrder) {
  DatasetRows alone = Rows();
  ASSERT_THAT(alone.NumRows(), IsOk());
  for (const int64_t num_shares : {1, 2, 3, 9}) {
    std::vector<std::string> shares;
    for (int64_t share = num_shares; share-- > 0;) {
      auto counted = Rows().CountShare({share, num_shares});
      ASSERT_THAT(counted, IsOk());
      shares.push_back(*counted);
    }
    DatasetRows joined = Rows();
    ASSERT_THAT(joined.Join(shares), IsOk());
    EXPECT_EQ(joined.Save(), alone.Save());
  }
}

TEST_F(DatasetRowsTest, AShareIsNotTakenForTheWhole) {
  DatasetRows rows = Rows();
  auto share = rows.CountShare({0, 2});
  ASSERT_THAT(share, IsOk());
  EXPECT_FALSE(rows.is_known());
  EXPECT_THAT(rows.Load(*share), StatusIs(StatusCode::kInvalid, "not survivors"));
  DatasetRows alone = Rows();
  ASSERT_THAT(alone.NumRows(), IsOk());
  EXPECT_THAT(rows.Join({*share, alone.Save()}),
              StatusIs(StatusCode::kInvalid, "no share"));
  EXPECT_THAT(rows.Join({}), StatusIs(StatusCode::kInvalid, "no shares"));
}

TEST_F(DatasetRowsTest, WhoKnowsAllSharesAll) {
  DatasetRows alone = Rows();
  ASSERT_THAT(alone.NumRows(), IsOk());
  auto share = alone.CountShare({1, 2});
  ASSERT_THAT(share, IsOk());
  DatasetRows joined = Rows();
  ASSERT_THAT(joined.Join({*share}), IsOk());
  EXPECT_EQ(joined.Save(), alone.Save());
}

TEST_F(DatasetRowsTest, WhatSharesMakeIsCached) {
  options_.cache_dir = cache_.path();
  DatasetRows joined = Rows();
  auto share = joined.CountShare({0, 1});
  ASSERT_THAT(share, IsOk());
  ASSERT_THAT(joined.Join({*share}), IsOk());
  auto all = Rows().CountShare({1, 2});
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(*all, *share);
}

}  // namespace
}  // namespace rowfeed
