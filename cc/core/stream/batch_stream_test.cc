// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/batch_stream.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "arrow/api.h"
#include "core/catalog/catalog.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using std::chrono::milliseconds;

constexpr milliseconds kLong{20000};

constexpr int kWide = 20;

// Rows 0 .. rows-1: `id` int64, `text` a string that says the id, `list` id % 4 times
// it, `wide` kWide times, which is more than a cache line.
std::shared_ptr<arrow::Table> MakeTable(int64_t rows) {
  arrow::Int64Builder ids;
  arrow::StringBuilder texts;
  auto items = std::make_shared<arrow::Int32Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), items);
  auto wide_items = std::make_shared<arrow::Int32Builder>();
  arrow::FixedSizeListBuilder wide(arrow::default_memory_pool(), wide_items, kWide);
  for (int64_t i = 0; i < rows; ++i) {
    EXPECT_TRUE(wide.Append().ok());
    for (int n = 0; n < kWide; ++n) EXPECT_TRUE(wide_items->Append(i).ok());
    EXPECT_TRUE(ids.Append(i).ok());
    EXPECT_TRUE(texts.Append("row " + std::to_string(i)).ok());
    EXPECT_TRUE(lists.Append().ok());
    for (int64_t n = 0; n < i % 4; ++n) EXPECT_TRUE(items->Append(i).ok());
  }
  const auto schema = arrow::schema(
      {arrow::field("id", arrow::int64()), arrow::field("text", arrow::utf8()),
       arrow::field("list", arrow::list(arrow::int32())),
       arrow::field("wide", arrow::fixed_size_list(arrow::int32(), kWide))});
  return arrow::Table::Make(
      schema, {*ids.Finish(), *texts.Finish(), *lists.Finish(), *wide.Finish()});
}

// With one batch per arena, and with several.
class BatchStreamTest : public ::testing::TestWithParam<int64_t> {
 protected:
  // One file of `rows` rows in groups of `group_rows`.
  void Write(int64_t rows, int64_t group_rows) {
    path_ = directory_.path() + "/data.parquet";
    testing::WriteParquet(path_, *MakeTable(rows), {.row_group_rows = group_rows});
    auto catalog = Catalog::Open({path_}, std::nullopt, 2);
    ROWFEED_ASSERT_OK(catalog);
    catalog_ = *catalog;
    options_.features = {{"id", {}}, {"text", {}}, {"list", {}}, {"wide", {}}};
    options_.order.shuffle = true;
    options_.order.shuffle_window = 4 * group_rows;
    options_.delivery.batch_size = 10;
    options_.num_threads = 2;
    options_.max_batches_per_arena = GetParam();
    ROWFEED_ASSERT_OK(options_.Validate(*catalog_));
    MakeCursor();
  }

  void MakeCursor() {
    cursor_ = std::make_shared<Cursor>(
        std::make_shared<DatasetRows>(catalog_, StreamOptions{}), 0, 2, 1 << 26);
  }

  // The pages of column 'id' in one row group, unseen by whoever looks at the file.
  void Damage(int64_t row_group) {
    std::FILE* file = std::fopen(path_.c_str(), "r+b");
    const ColumnChunk& chunk = catalog_->chunk(row_group, 0);
    const auto mtime = std::filesystem::last_write_time(path_);
    std::fseek(file, chunk.offset, SEEK_SET);
    const std::string garbage(chunk.size, '\xff');
    std::fwrite(garbage.data(), 1, garbage.size(), file);
    std::fclose(file);
    std::filesystem::last_write_time(path_, mtime);
  }

  std::unique_ptr<BatchStream> Stream() { return BatchStream::Make(cursor_, options_); }

  // The ids of a batch, after checking that the other columns say the same.
  static std::vector<int64_t> Ids(const Batch& batch) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      if (batch.valid != nullptr && batch.valid[row] == 0) continue;
      const BatchPart& text = batch.parts[1];
      EXPECT_EQ(
          std::string(reinterpret_cast<const char*>(text.data) + text.offsets[row],
                      text.offsets[row + 1] - text.offsets[row]),
          "row " + std::to_string(ids[row]));
      const BatchPart& list = batch.parts[2];
      EXPECT_EQ(list.offsets[row + 1] - list.offsets[row], ids[row] % 4);
      for (int64_t i = list.offsets[row]; i < list.offsets[row + 1]; ++i) {
        EXPECT_EQ(reinterpret_cast<const int32_t*>(list.data)[i], ids[row]);
      }
      const auto* wide = reinterpret_cast<const int32_t*>(batch.parts[3].data);
      EXPECT_EQ(wide[row * kWide], ids[row]);
      EXPECT_EQ(wide[(row + 1) * kWide - 1], ids[row]);
    }
    return {ids, ids + batch.num_rows};
  }

  static std::vector<std::vector<int64_t>> ReadAll(BatchStream* stream) {
    std::vector<std::vector<int64_t>> batches;
    Batch batch;
    while (true) {
      auto pull = stream->Next(kLong, &batch);
      EXPECT_THAT(pull, testing::IsOk());
      if (!pull.ok() || *pull != BatchStream::Pull::kBatch) return batches;
      batches.push_back(Ids(batch));
    }
  }

  static std::vector<int64_t> Sorted(const std::vector<std::vector<int64_t>>& batches) {
    std::vector<int64_t> rows;
    for (const auto& batch : batches)
      rows.insert(rows.end(), batch.begin(), batch.end());
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  static std::vector<int64_t> Iota(int64_t n) {
    std::vector<int64_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }

  testing::TempDir directory_;
  std::string path_;
  std::shared_ptr<const Catalog> catalog_;
  StreamOptions options_;
  std::shared_ptr<Cursor> cursor_;
};

TEST_P(BatchStreamTest, DeliversEveryRowOnceInThePlannedOrder) {
  Write(997, 50);
  for (const int64_t lanes : {1, 3}) {
    options_.order.num_lanes = lanes;
    MakeCursor();
    const auto batches = ReadAll(Stream().get());
    EXPECT_EQ(Sorted(batches), Iota(997));
    EXPECT_EQ(batches.size(), 100);
    // The plan says the same.
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

TEST_P(BatchStreamTest, IterationsAreEpochsAndRepeatIsNumEpochs) {
  Write(300, 30);
  std::vector<std::vector<int64_t>> one_by_one;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto& batch : ReadAll(Stream().get())) one_by_one.push_back(batch);
  }
  options_.num_epochs = 3;
  MakeCursor();
  EXPECT_EQ(ReadAll(Stream().get()), one_by_one);
  const size_t steps = one_by_one.size() / 3;
  EXPECT_NE(one_by_one[0], one_by_one[steps]);
}

TEST_P(BatchStreamTest, PinnedEpochsAreEqual) {
  Write(300, 30);
  options_.pinned_epoch = 0;
  options_.num_epochs = 2;
  const auto batches = ReadAll(Stream().get());
  ASSERT_EQ(batches.size(), 60);
  EXPECT_TRUE(std::equal(batches.begin(), batches.begin() + 30, batches.begin() + 30));
}

TEST_P(BatchStreamTest, ResumesAtEveryBatchExactly) {
  Write(200, 20);
  options_.num_epochs = 2;
  options_.order.num_lanes = 2;
  const auto whole = ReadAll(Stream().get());
  ASSERT_EQ(whole.size(), 40);
  for (size_t stop = 0; stop <= whole.size(); ++stop) {
    MakeCursor();
    auto stream = Stream();
    Batch batch;
    for (size_t i = 0; i < stop; ++i)
      ASSERT_EQ(*stream->Next(kLong, &batch), BatchStream::Pull::kBatch);
    const Progress progress = stream->progress();
    stream.reset();
    MakeCursor();
    auto resumed = Stream();
    ROWFEED_ASSERT_OK(resumed->Restore(progress));
    EXPECT_EQ(resumed->progress(), progress);
    auto rest = ReadAll(resumed.get());
    EXPECT_EQ(rest, std::vector(whole.begin() + stop, whole.end())) << stop;
    // A used iterator can be sent back as well.
    ROWFEED_ASSERT_OK(resumed->Restore(progress));
    EXPECT_EQ(ReadAll(resumed.get()), rest);
  }
}

TEST_P(BatchStreamTest, RefusesPlacesThatDoNotExist) {
  Write(100, 10);
  const auto stream = Stream();
  const Progress start = stream->progress();
  for (const Progress& wrong :
       {Progress{-1, 0, 1, 0}, Progress{0, -1, 1, 0}, Progress{0, 101, 1, 0},
        Progress{INT64_MAX, 0, 1, 0}, Progress{0, 0, INT64_MAX, 0},
        Progress{0, 0, 1, INT64_MAX}, Progress{0, 0, 1, -1}}) {
    EXPECT_THAT(stream->Restore(wrong), StatusIs(StatusCode::kInvalid, "no place in"));
  }
  EXPECT_EQ(stream->progress(), start);
}

TEST_P(BatchStreamTest, ProgressIsWhatWasDelivered) {
  Write(100, 10);
  auto stream = Stream();
  EXPECT_EQ(stream->progress(), (Progress{0, 0, 1, 0}));
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_EQ(stream->progress(), (Progress{0, 10, 1, 0}));
  ReadAll(stream.get());
  EXPECT_EQ(stream->progress(), (Progress{1, 0, 2, 0}));
}

TEST_P(BatchStreamTest, StreamsThatAreNeverPulledClaimNoEpoch) {
  Write(100, 10);
  auto unused = Stream();
  auto first = Stream();
  auto second = Stream();
  Batch batch;
  ROWFEED_ASSERT_OK(second->Next(kLong, &batch));
  ROWFEED_ASSERT_OK(first->Next(kLong, &batch));
  EXPECT_EQ(second->progress().epoch, 0);
  EXPECT_EQ(first->progress().epoch, 1);
  EXPECT_EQ(unused->progress().epoch, 2);
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

TEST_P(BatchStreamTest, SkipEqualsReadingOn) {
  Write(500, 25);
  options_.num_epochs = 2;
  const auto whole = ReadAll(Stream().get());
  for (const int64_t skip : {1, 3, 17, 60}) {
    for (const int64_t before : {0, 1, 5}) {
      MakeCursor();
      auto stream = Stream();
      Batch batch;
      for (int64_t i = 0; i < before; ++i)
        ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
      EXPECT_EQ(*stream->Skip(skip), skip);
      const auto rest = ReadAll(stream.get());
      EXPECT_EQ(rest, std::vector(whole.begin() + before + skip, whole.end()));
    }
  }
  MakeCursor();
  EXPECT_EQ(*Stream()->Skip(1000), 100);
}

// The batch begins in a window that is there and ends in one that the budget has not
// let in.
TEST_P(BatchStreamTest, SkipsABatchOfAWindowThatIsNotAdmitted) {
  Write(400, 9);  // Windows of 36 rows.
  options_.delivery.batch_size = 8;
  const auto whole = ReadAll(Stream().get());
  options_.memory_budget_bytes = 1;
  for (int64_t skip = 1; skip < 12; ++skip) {
    MakeCursor();
    const auto stream = Stream();
    Batch batch;
    ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
    EXPECT_EQ(*stream->Skip(skip), skip);
    EXPECT_EQ(ReadAll(stream.get()),
              std::vector(whole.begin() + 1 + skip, whole.end()));
  }
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
    const Status refused = options_.Validate(*catalog_);
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
  options_.delivery.batch_size = UINT32_MAX;
  options_.max_batches_per_arena = 2;
  EXPECT_THAT(options_.Validate(*catalog_),
              StatusIs(StatusCode::kInvalid, "rows are more than 2^32"));
}

TEST_P(BatchStreamTest, EmptyDataEndsAtOnceEvenEndless) {
  Write(0, 10);
  options_.order.shuffle_window = 1;
  options_.num_epochs = StreamOptions::kEndless;
  EXPECT_TRUE(ReadAll(Stream().get()).empty());
}

// Not for ever one by one, because one epoch had an error.
TEST_P(BatchStreamTest, BatchesShareArenasAgainInTheEpochAfterAnError) {
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

TEST_P(BatchStreamTest, ErrorsComeInOrderAndTheStreamGoesOn) {
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

TEST_P(BatchStreamTest, AChangedFileIsAnErrorThatNamesIt) {
  Write(400, 20);
  testing::WriteParquet(path_, *MakeTable(500), {.row_group_rows = 20});
  auto stream = Stream();
  Batch batch;
  EXPECT_THAT(stream->Next(kLong, &batch), StatusIs(StatusCode::kCorrupt, path_));
}

TEST_P(BatchStreamTest, CancelEndsAWaitingNext) {
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

TEST_P(BatchStreamTest, ClosesPromptlyFromAnyState) {
  Write(2000, 50);
  for (int pulls = 0; pulls < 50; ++pulls) {
    auto stream = Stream();
    Batch batch;
    for (int i = 0; i < pulls; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  }
}

TEST_P(BatchStreamTest, AForkedChildGoesOnWithThreadsOfItsOwn) {
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

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, BatchStreamTest, ::testing::Values(1, 3, 64));

}  // namespace
}  // namespace rowfeed
