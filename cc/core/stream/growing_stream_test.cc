// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "arrow/table.h"
#include "core/catalog/growth.h"
#include "core/stream/batch_stream.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Int64Table;
using rowfeed::testing::StatusIs;

constexpr std::chrono::milliseconds kLong{20000};
constexpr int64_t kFileRows = 30;

// Streams over a directory whose files come and go.
class GrowingStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write("a");
    Write("b");
    options_.columns = {{"x", {}}};
    options_.order.shuffle = true;
    options_.order.shuffle_window = 40;
    options_.delivery.batch_size = 7;
    options_.num_threads = 2;
    options_.growth = GrowthOptions{{data()}, directory_.path() + "/snapshots"};
    cursor_ = MakeCursor();
  }

  std::string data() const { return directory_.path() + "/data"; }
  std::string FileOf(const std::string& name) const {
    return data() + "/" + name + ".parquet";
  }
  void Write(const std::string& name) {
    std::filesystem::create_directories(data());
    testing::WriteParquet(FileOf(name), *Int64Table({"x"}, kFileRows),
                          {.row_group_rows = 8});
  }
  std::shared_ptr<Cursor> MakeCursor() {
    auto catalog = Growth(options_.growth->paths, std::nullopt, 1).List(nullptr);
    EXPECT_TRUE(catalog.ok());
    auto rows = std::make_shared<DatasetRows>(*catalog, options_);
    auto snapshots = std::make_shared<Snapshots>(rows, options_);
    return std::make_shared<Cursor>(SourceRows{rows}, 0, 2, 1 << 26,
                                    std::move(snapshots));
  }
  // Begins all epochs up to `last_epoch` with a new cursor, as another run would.
  // Returns the fingerprint of the last one.
  std::string Run(int64_t last_epoch) {
    cursor_ = MakeCursor();
    for (int64_t epoch = 0; epoch <= last_epoch; ++epoch) {
      EXPECT_THAT(cursor_->Begin(epoch), testing::IsOk());
    }
    return cursor_->FingerprintOf(last_epoch);
  }
  // Resumes an epoch with a new cursor, as another run would.
  Status Resume(int64_t epoch, const std::string& fingerprint) {
    cursor_ = MakeCursor();
    return cursor_->Resume(epoch, fingerprint, false);
  }
  std::string SnapshotOf(int64_t epoch, const std::string& fingerprint) const {
    return directory_.path() + "/snapshots/epoch-0000000" + std::to_string(epoch) +
           "-" + fingerprint + ".catalog";
  }
  std::unique_ptr<BatchStream> Stream() { return BatchStream::Make(cursor_, options_); }

  // Returns how many rows come in at most `num_batches` batches, and how many of them
  // are valid.
  static std::pair<int64_t, int64_t> Count(BatchStream* stream, int num_batches = 999) {
    Batch batch;
    std::pair<int64_t, int64_t> count;
    while (num_batches-- > 0) {
      const auto pull = stream->Next(kLong, &batch);
      EXPECT_TRUE(pull.ok()) << pull.status().message();
      if (!pull.ok() || *pull != BatchStream::Pull::kBatch) break;
      count.first += batch.num_rows;
      for (int64_t row = 0; row < batch.num_rows; ++row) {
        count.second += batch.valid[row];
        if (batch.valid[row] == 0) {
          EXPECT_EQ(reinterpret_cast<const int64_t*>(batch.parts[0].data)[row], 0);
        }
      }
    }
    return count;
  }

  testing::TempDir directory_;
  StreamOptions options_;
  std::shared_ptr<Cursor> cursor_;
};

using Counts = std::pair<int64_t, int64_t>;

TEST_F(GrowingStreamTest, EpochsOfOneStreamGrow) {
  options_.num_epochs = 2;
  const auto stream = Stream();
  EXPECT_EQ(Count(stream.get(), 5), Counts(35, 35));
  Write("c");
  EXPECT_EQ(Count(stream.get()), Counts(25 + 90, 25 + 90));
}

TEST_F(GrowingStreamTest, LostRowsAreFill) {
  ROWFEED_ASSERT_OK(cursor_->Begin(0));
  std::filesystem::remove(FileOf("a"));
  Write("b");  // another file of the same name
  const auto stream = Stream();
  EXPECT_EQ(Count(stream.get()), Counts(60, 0));
  EXPECT_EQ(Count(Stream().get()), Counts(30, 30));
}

TEST_F(GrowingStreamTest, WindowsOnTheirWayKeepTheirFiles) {
  options_.order.shuffle_window = 1000;  // all rows are one window
  const auto stream = Stream();
  EXPECT_EQ(Count(stream.get(), 1), Counts(7, 7));
  std::filesystem::remove(FileOf("a"));
  EXPECT_EQ(Count(stream.get()), Counts(53, 53));
}

TEST_F(GrowingStreamTest, AnotherProcessGoesOnInTheEpochThatWas) {
  const auto stream = Stream();
  Count(stream.get(), 3);
  const Progress progress = stream->progress();
  const std::string fingerprint = cursor_->FingerprintOf(0);
  Write("c");
  cursor_ = MakeCursor();
  EXPECT_THAT(cursor_->Resume(0, std::string(32, '0'), false),
              StatusIs(StatusCode::kNotFound, "epoch-00000000-0000"));
  ROWFEED_ASSERT_OK(cursor_->Resume(0, fingerprint, false));
  const auto resumed = Stream();
  ROWFEED_ASSERT_OK(resumed->Restore(progress));
  EXPECT_EQ(Count(resumed.get()), Counts(60 - 21, 60 - 21));
  EXPECT_EQ(Count(Stream().get()), Counts(90, 90));
}

TEST_F(GrowingStreamTest, ASnapshotOfAnEarlierRunNamesTheSameBytesOfAnotherTime) {
  const std::string fingerprint = Run(0);
  std::filesystem::last_write_time(FileOf("a"), {});
  EXPECT_EQ(Run(0), fingerprint);
  ROWFEED_EXPECT_OK(Resume(0, fingerprint));
}

TEST_F(GrowingStreamTest, ASnapshotOfAnEarlierRunNamesARootThatHasMoved) {
  const std::string fingerprint = Run(0);
  std::filesystem::rename(data(), data() + "-moved");
  options_.growth->paths = {data() + "-moved"};
  EXPECT_EQ(Run(0), fingerprint);
  ROWFEED_EXPECT_OK(Resume(0, fingerprint));
}

TEST_F(GrowingStreamTest, ATruncatedSnapshotOfAnEarlierRunIsRepaired) {
  const std::string fingerprint = Run(0);
  std::filesystem::resize_file(SnapshotOf(0, fingerprint), 100);
  EXPECT_EQ(Run(0), fingerprint);
  ROWFEED_EXPECT_OK(Resume(0, fingerprint));
}

TEST_F(GrowingStreamTest, ATruncatedSnapshotGetsNoOtherName) {
  const std::string fingerprint = Run(0);
  std::filesystem::resize_file(SnapshotOf(0, fingerprint), 100);
  ROWFEED_ASSERT_OK(cursor_->Begin(1));
  ROWFEED_EXPECT_OK(Resume(1, fingerprint));
}

TEST_F(GrowingStreamTest, AForkedChildGoesOnInTheEpochThatWas) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer's own allocator keeps its locks over a fork";
#endif
  options_.num_threads = 1;  // ThreadSanitizer miscounts short-lived threads of a child
  cursor_ = MakeCursor();
  const auto stream = Stream();
  Count(stream.get(), 3);
  Write("c");
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const bool same = Count(stream.get()) == Counts(60 - 21, 60 - 21) &&
                      Count(Stream().get()) == Counts(90, 90);
    _exit(same ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Count(stream.get()), Counts(60 - 21, 60 - 21));
}

TEST_F(GrowingStreamTest, StreamsAtOnceTakeEpochsOfTheirOwn) {
  std::vector<std::thread> threads;
  std::vector<Counts> counts(4);
  for (Counts& count : counts) {
    threads.emplace_back([this, &count] { count = Count(Stream().get()); });
  }
  Write("c");
  for (std::thread& thread : threads) thread.join();
  for (const Counts& count : counts) {
    EXPECT_TRUE(count.first == 60 || count.first == 90) << count.first;
    EXPECT_EQ(count.first, count.second);
  }
  EXPECT_EQ(cursor_->Peek().epoch, 4);
}

TEST_F(GrowingStreamTest, AnErrorOfTheListingCostsNoEpoch) {
  std::filesystem::remove_all(data());
  Batch batch;
  const auto stream = Stream();
  EXPECT_THAT(stream->Next(kLong, &batch), StatusIs(StatusCode::kNotFound, "data"));
  Write("a");
  EXPECT_EQ(Count(stream.get()), Counts(30, 30));
  EXPECT_EQ(cursor_->Peek().epoch, 1);
}

}  // namespace
}  // namespace rowfeed
