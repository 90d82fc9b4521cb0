// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests streams of files that are fetched before they are decoded.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/io/file_systems.h"
#include "core/stream/batch_stream.h"
#include "core/stream/options/validate_stream.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

std::atomic<int> threads_left{std::numeric_limits<int>::max()};

}  // namespace
}  // namespace rowfeed

// Replaces that of the C library for all threads of this process, so that it can fail.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
    void* argument) {
  using Create = decltype(&pthread_create);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, __func__));
  if (rowfeed::threads_left-- <= 0) return EAGAIN;
  return create(thread, attributes, start, argument);
}

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kLong{60};

// Functions that each fetch, and each check, calls first, unless they are empty.
std::function<Status()> on_fetch;
std::function<Status()> on_check;
// Whether fetched bytes are replaced by zeros.
bool are_zeros = false;

// A local file that claims to be remote.
class FarFile final : public RandomAccessFile {
 public:
  explicit FarFile(std::shared_ptr<const RandomAccessFile> file)
      : file_(std::move(file)) {}
  Status Read(const std::vector<ReadRequest>& requests) const override {
    return file_->Read(requests);
  }
  Result<std::vector<FetchedExtent>> Fetch(const std::vector<Extent>& extents,
                                           const std::shared_ptr<BufferPool>& buffers,
                                           const Cancelled& cancelled) const override {
    if (on_fetch) ROWFEED_RETURN_NOT_OK(on_fetch());
    auto fetched = RandomAccessFile::Fetch(extents, buffers, cancelled);
    if (!fetched.ok() || !are_zeros) return fetched;
    for (FetchedExtent& extent : *fetched) {
      extent.bytes.reset(new uint8_t[extent.extent.size]());
    }
    return fetched;
  }
  Status CheckUnchanged(const Cancelled&) const override {
    return on_check ? on_check() : Status();
  }
  bool is_remote() const override { return true; }
  const FileVersion& version() const override { return file_->version(); }
  const std::string& path() const override { return file_->path(); }

 private:
  const std::shared_ptr<const RandomAccessFile> file_;
};

class FarFileSystem final : public FileSystem {
 public:
  Result<struct stat> Stat(const std::string& path,
                           const Cancelled& cancelled) const override {
    return LocalFileSystem()->Stat("/" + path, cancelled);
  }
  Result<DirectoryEntries> List(const std::string& path,
                                const Cancelled& cancelled) const override {
    return LocalFileSystem()->List("/" + path, cancelled);
  }
  Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled&) const override {
    ROWFEED_ASSIGN_OR_RETURN(auto file, OpenLocalFile("/" + path));
    return std::shared_ptr<const RandomAccessFile>(
        std::make_shared<FarFile>(std::move(file)));
  }
  std::string Shown(const std::string& path) const override {
    return "far://disk/" + path;
  }
};

std::shared_ptr<const FileSystem> MakeFar(const Uri&, std::shared_ptr<BlockingCalls>) {
  return std::make_shared<FarFileSystem>();
}

class RemoteStreamTest : public ::testing::Test {
 protected:
  // Writes 100 rows in row groups of 10.
  void SetUp() override {
    testing::WriteParquet(directory_.File("data.parquet"),
                          *testing::Int64Table({"id"}, 100), {.row_group_rows = 10});
    SetOtherFileSystems(MakeFar);
    catalog_ = *Catalog::Open({"far://disk" + directory_.File("data.parquet")},
                              std::nullopt, 2);
    options_.columns = {{"id", {}}};
    options_.delivery.batch_size = 10;
    options_.num_epochs = 1;
  }
  void TearDown() override {
    on_fetch = on_check = nullptr;
    are_zeros = false;
  }

  std::shared_ptr<Cursor> MakeCursor() {
    ROWFEED_EXPECT_OK(ValidateStream(options_, *catalog_));
    return std::make_shared<Cursor>(
        std::make_shared<DatasetRows>(catalog_, StreamOptions{}), 0, 2, 1 << 26);
  }

  const testing::TempDir directory_;
  std::shared_ptr<const Catalog> catalog_;
  StreamOptions options_;
};

TEST_F(RemoteStreamTest, NoThreadToFetchWithIsAnErrorOfEachBatch) {
  const auto cursor = MakeCursor();
  const auto pull_all = [&](const auto& check) {
    const auto stream = BatchStream::Make(cursor, options_);
    Batch batch;
    int num_pulls = 0;
    while (true) {
      const auto pull = stream->Next(kLong, &batch);
      if (pull.ok() && *pull != BatchStream::Pull::kBatch) return num_pulls;
      check(pull);
      ++num_pulls;
    }
  };
  threads_left = 1;  // one thread to decode, and none to fetch
  EXPECT_EQ(10, pull_all([](const auto& pull) {
              EXPECT_THAT(pull,
                          StatusIs(StatusCode::kInternal, "cannot start a thread"));
            }));
  threads_left = std::numeric_limits<int>::max();
  EXPECT_EQ(10, pull_all([](const auto& pull) { ROWFEED_EXPECT_OK(pull); }));
}

TEST_F(RemoteStreamTest, TheFilesOfAWindowAreCheckedOnce) {
  options_.order.shuffle = true;
  options_.order.shuffle_window = 50;
  std::atomic<int> num_checks = 0;
  on_check = [&]() -> Status {
    ++num_checks;
    return {};
  };
  const auto stream = BatchStream::Make(MakeCursor(), options_);
  Batch batch;
  for (int i = 0; i < 10; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_EQ(num_checks, 2);
}

TEST_F(RemoteStreamTest, NoBatchComesBeforeItsFilesWereChecked) {
  std::promise<void> begun;
  std::promise<void> release;
  on_check = [&, released = release.get_future().share(), is_first = true]() mutable {
    if (std::exchange(is_first, false)) begun.set_value();
    released.wait();
    return Status();
  };
  options_.delivery.batch_size = 100;
  options_.order.shuffle = true;
  options_.order.shuffle_window = 100;
  const auto stream = BatchStream::Make(MakeCursor(), options_);
  Batch batch;
  EXPECT_EQ(*stream->Next(milliseconds(1), &batch), BatchStream::Pull::kTimeout);
  ASSERT_EQ(begun.get_future().wait_for(kLong), std::future_status::ready);
  // In most runs, all except the check is done meanwhile.
  EXPECT_EQ(*stream->Next(milliseconds(50), &batch), BatchStream::Pull::kTimeout);
  release.set_value();
  EXPECT_EQ(*stream->Next(kLong, &batch), BatchStream::Pull::kBatch);
}

TEST_F(RemoteStreamTest, ThatAFileChangedIsTheReasonForWhatElseIsWrong) {
  are_zeros = true;
  const auto pull = [&] {
    const auto stream = BatchStream::Make(MakeCursor(), options_);
    Batch batch;
    return stream->Next(kLong, &batch);
  };
  EXPECT_THAT(pull(), StatusIs(StatusCode::kCorrupt, "row group"));
  on_check = [] { return Status(StatusCode::kCorrupt, "it changed"); };
  EXPECT_THAT(pull(), StatusIs(StatusCode::kCorrupt, "it changed"));
}

TEST_F(RemoteStreamTest, AStoreThatIsAwayIsNotAskedForTheRestOfAWindow) {
  testing::WriteParquet(directory_.File("data.parquet"),
                        *testing::Int64Table({"id"}, 100), {.row_group_rows = 1});
  catalog_ =
      *Catalog::Open({"far://disk" + directory_.File("data.parquet")}, std::nullopt, 2);
  options_.order.shuffle = true;
  options_.order.shuffle_window = 100;
  options_.max_batches_per_arena = 1;
  std::atomic<int> num_fetches = 0;
  on_fetch = [&]() -> Status {
    ++num_fetches;
    std::this_thread::sleep_for(milliseconds(50));
    return {StatusCode::kUnavailable, "no answer"};
  };
  const auto stream = BatchStream::Make(MakeCursor(), options_);
  Batch batch;
  EXPECT_THAT(stream->Next(kLong, &batch),
              StatusIs(StatusCode::kUnavailable, "no answer"));
  EXPECT_LT(num_fetches, 50);
}

}  // namespace
}  // namespace rowfeed
