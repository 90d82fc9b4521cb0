// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/step_progress.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "core/catalog/catalog.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;

class StepProgressTest : public ::testing::Test {
 protected:
  // Makes sources of `num_rows` rows, in batches of eight over two ranks.
  void SetUp() override {
    options_.columns = {{.column = "row"}};
    options_.delivery.batch_size = 8;
    options_.delivery.world_size = 2;
    options_.delivery.remainder = Remainder::kDrop;
    options_.order.num_lanes = 2;
  }

  SourceRows Sources(int64_t num_rows) {
    testing::WriteParquet(directory_.File("x.parquet"),
                          *testing::Int64Table({"row"}, num_rows));
    const auto catalog = Catalog::Open({directory_.path()}, std::nullopt, 1);
    EXPECT_THAT(catalog, IsOk());
    return {std::make_shared<DatasetRows>(*catalog, options_)};
  }

  testing::TempDir directory_;
  StreamOptions options_;
};

TEST_F(StepProgressTest, StepsGoOnFromEpochToEpoch) {
  const SourceRows sources = Sources(40);  // two steps of 16 rows; 8 rows are dropped
  for (int64_t step = 0; step < 7; ++step) {
    const Result<Progress> progress = ProgressOfStep(options_, sources, 3, step);
    ASSERT_THAT(progress, IsOk());
    EXPECT_EQ(progress->epoch, 3 + step / 2);
    EXPECT_EQ(progress->epochs_done, step / 2);
    EXPECT_EQ(progress->row, 16 * (step % 2));
    EXPECT_EQ(progress->next_epoch, 4 + step / 2);
  }
}

TEST_F(StepProgressTest, AnEpochWithoutAStepHasNoProgress) {
  EXPECT_THAT(ProgressOfStep(options_, Sources(15), 0, 0),
              StatusIs(StatusCode::kInvalid, "no step"));
}

}  // namespace
}  // namespace rowfeed
