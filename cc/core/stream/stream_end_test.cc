// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how a stream ends, and how it continues after errors.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "core/stream/batch_stream.h"
#include "testing/batch_stream_fixture.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

class StreamEndTest : public BatchStreamFixture {};

// After an error, batches get arenas of their own, but not in the epochs that follow.
TEST_P(StreamEndTest, BatchesShareArenasAgainInTheEpochAfterAnError) {
  Write(400, 20);
  options_.order.shuffle = false;
  options_.num_epochs = 2;
  Damage(10);
  auto stream = Stream();
  for (int epoch = 0; epoch < 2; ++epoch) {
    Batch first;
    Batch second;
    ROWFEED_ASSERT_OK(stream->Next(kLong, &first));
    ROWFEED_ASSERT_OK(stream->Next(kLong, &second));
    EXPECT_EQ(Ids(first)[0], 0);
    const uint8_t* behind_first = first.parts[0].data + 10 * sizeof(int64_t);
    EXPECT_EQ(second.parts[0].data == behind_first, GetParam() > 1);
    int errors = 0;
    for (int i = 2; i < 40; ++i) errors += stream->Next(kLong, &first).ok() ? 0 : 1;
    EXPECT_EQ(errors, 2);
  }
}

// This test shows fault 51 of docs/reliability.md.
TEST_P(StreamEndTest, ErrorsComeInOrderAndTheStreamGoesOn) {
  Write(400, 20);
  options_.order.shuffle = false;
  Damage(10);
  auto stream = Stream();
  Batch batch;
  std::vector<int64_t> rows;
  int errors = 0;
  for (int i = 0; i < 40; ++i) {
    const auto pull = stream->Next(kLong, &batch);
    if (pull.ok()) {
      for (const int64_t id : Ids(batch)) rows.push_back(id);
    } else {
      ++errors;
      EXPECT_THAT(pull, StatusIs(StatusCode::kCorrupt, "row group 10, column 'id'"));
      EXPECT_EQ(stream->progress().row, 200);
    }
  }
  EXPECT_EQ(*stream->Next(kLong, &batch), BatchStream::Pull::kEnd);
  EXPECT_EQ(errors, 2);
  EXPECT_EQ(rows.size(), 380);
}

// After an error the first rows get arenas of their own, and the others share arenas
// again.
TEST_P(StreamEndTest, ErrorsFarApartCostOnlyTheirRows) {
  constexpr int64_t kRows = 40000;
  const auto is_damaged = [](int64_t id) { return id / 1000 == 2 || id / 1000 == 37; };
  for (const Remainder remainder : {Remainder::kDrop, Remainder::kUneven}) {
    Write(kRows, 1000);
    options_.columns = {{"id", {}}};
    options_.order.shuffle = false;
    options_.delivery.batch_size = 1;
    options_.delivery.remainder = remainder;
    Damage(2);
    Damage(37);
    auto stream = Stream();
    Batch batch;
    std::vector<int64_t> rows;
    for (int64_t i = 0; i < kRows; ++i) {
      const auto pull = stream->Next(kLong, &batch);
      ASSERT_EQ(pull.ok(), !is_damaged(i)) << i;
      if (!pull.ok()) continue;
      ASSERT_EQ(*pull, BatchStream::Pull::kBatch);
      rows.push_back(*reinterpret_cast<const int64_t*>(batch.parts[0].data));
      EXPECT_EQ(stream->progress().row, i + 1);
    }
    EXPECT_EQ(*stream->Next(kLong, &batch), BatchStream::Pull::kEnd);
    std::vector<int64_t> expected = Iota(kRows);
    std::erase_if(expected, is_damaged);
    EXPECT_EQ(rows, expected);
  }
}

TEST_P(StreamEndTest, SkipsFromWhatIsMadeOneByOneToWhatIsNot) {
  Write(40000, 1000);
  options_.columns = {{"id", {}}};
  options_.order.shuffle = false;
  options_.delivery.batch_size = 1;
  options_.delivery.remainder = Remainder::kDrop;
  Damage(0);
  auto stream = Stream();
  Batch batch;
  EXPECT_FALSE(stream->Next(kLong, &batch).ok());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const int64_t skipped, stream->Skip(30000));
  EXPECT_EQ(skipped, 30000);
  EXPECT_EQ(stream->progress().row, 30001);
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_EQ(*reinterpret_cast<const int64_t*>(batch.parts[0].data), 30001);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const int64_t rest, stream->Skip(30000));
  EXPECT_EQ(rest, 9998);
}

TEST_P(StreamEndTest, AChangedFileIsAnErrorThatNamesIt) {
  Write(400, 20);
  testing::WriteParquet(path_, *MakeTable(500), {.row_group_rows = 20});
  auto stream = Stream();
  Batch batch;
  EXPECT_THAT(stream->Next(kLong, &batch), StatusIs(StatusCode::kCorrupt, path_));
}

TEST_P(StreamEndTest, CancelEndsAWaitingNext) {
  Write(100, 10);
  auto stream = Stream();
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  std::thread canceller([&] { stream->Cancel(); });
  Result<BatchStream::Pull> pull = BatchStream::Pull::kBatch;
  while (pull.ok() && *pull == BatchStream::Pull::kBatch)
    pull = stream->Next(kLong, &batch);
  canceller.join();
  stream->Close();
  stream->Close();
  EXPECT_THAT(stream->Next(kLong, &batch), StatusIs(StatusCode::kCancelled, "closed"));
}

TEST_P(StreamEndTest, ClosesPromptlyFromAnyState) {
  Write(2000, 50);
  for (int pulls = 0; pulls < 50; ++pulls) {
    auto stream = Stream();
    Batch batch;
    for (int i = 0; i < pulls; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  }
}

TEST_P(StreamEndTest, AForkedChildGoesOnWithThreadsOfItsOwn) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer's own allocator keeps its locks over a fork";
#endif
  Write(500, 25);
  const auto whole = ReadAll(Stream().get());
  MakeCursor();
  auto stream = Stream();
  Batch batch;
  for (int i = 0; i < 7; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const auto rest = ReadAll(stream.get());
    stream.reset();
    const bool equal = rest == std::vector(whole.begin() + 7, whole.end());
    _exit(equal ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(ReadAll(stream.get()), std::vector(whole.begin() + 7, whole.end()));
}

// This test shows fault 8 of docs/reliability.md.
TEST_P(StreamEndTest, EmptyDataEndsAtOnceEvenEndless) {
  Write(0, 10);
  options_.order.shuffle_window = 1;
  options_.num_epochs = std::nullopt;
  EXPECT_TRUE(ReadAll(Stream().get()).empty());
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, StreamEndTest, ::testing::Values(1, 3, 64));

}  // namespace
}  // namespace rowfeed
