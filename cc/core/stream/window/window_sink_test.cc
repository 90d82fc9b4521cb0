// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads one window by hand, without a pipeline, through either kind of sink.
#include "core/stream/window/window_sink.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/plan/delivery.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/stream_layout.h"
#include "core/stream/stats/counted_columns.h"
#include "core/stream/window/direct_gather.h"
#include "core/stream/window/held_window.h"
#include "core/stream/window/window_reader.h"
#include "testing/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

constexpr int64_t kRows = 40;

// A window of all rows of a file with four row groups, whose rows go to two batches. It
// has columns that are gathered as a whole, piece by piece, and with units.
class WindowSinkTest : public BatchStreamFixture {
 protected:
  void SetUp() override {
    Write(kRows, /*group_rows=*/kRows / 4);
    options_.delivery.batch_size = kRows / 2;
    const auto layout = LayOutStream({catalog_}, options_);
    ROWFEED_ASSERT_OK(layout);
    context_ = MakeContext(
        cursor_.get(), options_, *layout, cursor_->sources(),
        std::make_shared<Counters>(CountedColumns(layout->columns, *catalog_)));
    plan_ = PlanEpoch(options_, {context_->sources[0].rows}, /*epoch=*/0);
    delivery_ = std::make_unique<Delivery>(plan_.get(), 0, options_.delivery);
    visit_ = WindowSchedule(delivery_.get()).next();
    runs_ = delivery_->Runs(visit_, &places_);
    ASSERT_EQ(runs_.size(), 2);
    reader_ = std::make_unique<WindowReader>(context_, visit_);
  }

  std::shared_ptr<BatchBuilder> MakeBuilder() const {
    return std::make_shared<BatchBuilder>(&context_->layout.parts, kRows / 2, kRows / 2,
                                          /*with_valid=*/false, /*num_lanes=*/1,
                                          context_->buffers);
  }

  void Load(WindowSink* sink, std::vector<std::shared_ptr<BatchBuilder>> builders) {
    ROWFEED_ASSERT_OK(reader_->HoldFiles());
    ROWFEED_ASSERT_OK(
        sink->Prepare(visit_.plan->Permutation(visit_.window), std::move(builders)));
    const std::atomic<bool> cancelled = false;
    for (size_t task = 0; task < sink->num_tasks(); ++task) {
      ROWFEED_ASSERT_OK(sink->RunTask(task, cancelled));
    }
    sink->LeaveBuilders();
  }

  static Batch Assemble(const WindowSink& sink, size_t run, BatchBuilder* builder) {
    int64_t column_ns = 0;
    ROWFEED_EXPECT_OK(builder->Allocate());
    ROWFEED_EXPECT_OK(sink.GatherRun(run, builder, &column_ns));
    ROWFEED_EXPECT_OK(builder->AllocateUnits());
    ROWFEED_EXPECT_OK(sink.GatherUnits(run, builder, &column_ns));
    builder->SumLengths();
    ROWFEED_EXPECT_OK(builder->InterleaveStrips());
    return builder->Finish();
  }

  std::shared_ptr<const StreamContext> context_;
  std::shared_ptr<const StreamPlan> plan_;
  std::unique_ptr<Delivery> delivery_;
  WindowVisit visit_;
  std::vector<Place> places_;
  std::vector<rowfeed::Run> runs_;
  std::unique_ptr<WindowReader> reader_;
};

TEST_P(WindowSinkTest, BothKindsGiveTheSameBatches) {
  DirectGather direct(reader_.get(), &runs_, places_);
  const std::vector<std::shared_ptr<BatchBuilder>> builders{MakeBuilder(),
                                                            MakeBuilder()};
  Load(&direct, builders);
  HeldWindow held(reader_.get(), &runs_, places_);
  Load(&held, {});
  for (size_t run = 0; run < runs_.size(); ++run) {
    const Batch at_once = Assemble(direct, run, builders[run].get());
    const auto late = MakeBuilder();
    const Batch later = Assemble(held, run, late.get());
    EXPECT_EQ(Ids(at_once), Ids(later));
  }
}

TEST_P(WindowSinkTest, HeldWindowCountsItsRowsAmongTheBytesItHolds) {
  const DirectGather direct(reader_.get(), &runs_, places_);
  const HeldWindow held(reader_.get(), &runs_, places_);
  const int64_t row_bytes = sizeof(int64_t) + kWide * sizeof(int32_t);
  EXPECT_GE(held.HeldBytes(), direct.HeldBytes() + kRows * row_bytes);
}

INSTANTIATE_TEST_SUITE_P(OneBatchPerArena, WindowSinkTest, ::testing::Values(1));

}  // namespace
}  // namespace rowfeed
