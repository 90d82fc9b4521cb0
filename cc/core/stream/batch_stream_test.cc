// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/batch_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/plan/epoch_plan.h"
#include "core/stream/options/validate_stream.h"
#include "testing/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

class BatchStreamTest : public BatchStreamFixture {};

TEST_P(BatchStreamTest, DeliversEveryRowOnceInThePlannedOrder) {
  Write(997, 50);
  for (const int64_t lanes : {1, 3}) {
    options_.order.num_lanes = lanes;
    MakeCursor();
    const auto batches = ReadAll(Stream().get());
    EXPECT_EQ(Sorted(batches), Iota(997));
    EXPECT_EQ(batches.size(), 100);
    // Each row is the one that the plan gives for its position.
    const EpochPlan plan(catalog_->group_rows(), options_.order, 0);
    for (int64_t g = 0; g < 997; ++g) {
      const Window window = plan.WindowAt(g % lanes, g / lanes);
      int64_t row = plan.Permutation(window)[g / lanes - window.begin];
      for (const Piece& piece : plan.Pieces(window)) {
        if (row < piece.rows()) {
          ASSERT_EQ(batches[g / 10][g % 10], piece.row_group * 50 + piece.begin + row);
          break;
        }
        row -= piece.rows();
      }
    }
  }
}

TEST_P(BatchStreamTest, RanksPartitionEveryStep) {
  Write(331, 40);
  for (const int64_t lanes : {1, 2, 6}) {
    options_.order.num_lanes = lanes;
    options_.delivery = {12, 0, 1, Remainder::kUneven};
    MakeCursor();
    const auto whole = ReadAll(Stream().get());
    for (const int64_t world : {2, 3, 4}) {
      std::vector<std::vector<int64_t>> steps(whole.size());
      for (int64_t rank = 0; rank < world; ++rank) {
        options_.delivery = {12 / world, rank, world, Remainder::kUneven};
        MakeCursor();
        const auto batches = ReadAll(Stream().get());
        for (size_t k = 0; k < batches.size(); ++k) {
          steps[k].insert(steps[k].end(), batches[k].begin(), batches[k].end());
        }
      }
      for (size_t k = 0; k < whole.size(); ++k) {
        EXPECT_EQ(Sorted({steps[k]}), Sorted({whole[k]})) << k;
      }
    }
  }
}

TEST_P(BatchStreamTest, PadFillsAndFlags) {
  Write(25, 10);
  options_.delivery = {4, 1, 2, Remainder::kPad};
  auto stream = Stream();
  Batch batch;
  int64_t valid = 0;
  int64_t batches = 0;
  while (*stream->Next(kLong, &batch) == BatchStream::Pull::kBatch) {
    EXPECT_EQ(batch.num_rows, 4);
    Ids(batch);
    for (int64_t row = 0; row < 4; ++row) {
      valid += batch.valid[row];
      if (batch.valid[row] != 0) continue;
      EXPECT_EQ(reinterpret_cast<int64_t*>(batch.parts[0].data)[row], 0);
      EXPECT_EQ(batch.parts[1].offsets[row + 1], batch.parts[1].offsets[row]);
    }
    ++batches;
  }
  EXPECT_EQ(batches, 4);
  EXPECT_EQ(valid, 12);
}

TEST_P(BatchStreamTest, WrapComesRoundToTheFirstRows) {
  Write(25, 10);
  options_.delivery = {10, 0, 1, Remainder::kWrap};
  const auto batches = ReadAll(Stream().get());
  ASSERT_EQ(batches.size(), 3);
  EXPECT_TRUE(
      std::equal(batches[0].begin(), batches[0].begin() + 5, batches[2].begin() + 5));
}

TEST_P(BatchStreamTest, KeptBatchesNeverChangeAndMayExceedTheBudget) {
  Write(3000, 100);
  MakeCursor();
  auto stream = Stream();
  std::vector<Batch> kept;
  std::vector<std::vector<int64_t>> ids;
  Batch batch;
  while (*stream->Next(kLong, &batch) == BatchStream::Pull::kBatch) {
    ids.push_back(Ids(batch));
    kept.push_back(batch);
  }
  stream.reset();
  for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(Ids(kept[i]), ids[i]);
}

TEST_P(BatchStreamTest, TheTightestBudgetStillDelivers) {
  Write(2000, 50);
  for (const int64_t lanes : {1, 4}) {
    options_.order.num_lanes = lanes;
    options_.memory_budget_bytes = 1;
    const Status refused = ValidateStream(options_, *catalog_);
    EXPECT_THAT(refused,
                StatusIs(StatusCode::kInvalid, "memory_budget_bytes = 1 is less"));
    MakeCursor();
    EXPECT_EQ(Sorted(ReadAll(Stream().get())), Iota(2000));
    options_.memory_budget_bytes = 0;
  }
}

TEST_P(BatchStreamTest, AWindowBeyondAllRowsIsAllRows) {
  Write(2000, 50);
  options_.order.shuffle_window = INT64_MAX;
  MakeCursor();
  EXPECT_EQ(Sorted(ReadAll(Stream().get())), Iota(2000));
  options_.delivery.batch_size = DeliveryOptions::kMaxBatchSize;
  options_.max_batches_per_arena = 2;
  EXPECT_THAT(ValidateStream(options_, *catalog_),
              StatusIs(StatusCode::kInvalid, "rows are more than 2^32"));
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, BatchStreamTest, ::testing::Values(1, 3, 64));

}  // namespace
}  // namespace rowfeed
