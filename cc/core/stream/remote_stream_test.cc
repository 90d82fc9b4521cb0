// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Streams of files that are fetched before they are decoded.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/catalog/catalog.h"
#include "core/io/file_systems.h"
#include "core/stream/batch_stream.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

std::atomic<int> threads_left{std::numeric_limits<int>::max()};

}  // namespace
}  // namespace rowfeed

// In front of the C library's, for all threads of this process.
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

// A local file, said to be far away.
class FarFile final : public RandomAccessFile {
 public:
  explicit FarFile(std::shared_ptr<const RandomAccessFile> file)
      : file_(std::move(file)) {}
  Status Read(const std::vector<ReadRequest>& requests) const override {
    return file_->Read(requests);
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

TEST(RemoteStreamTest, NoThreadToFetchWithIsAnErrorOfEachBatch) {
  const testing::TempDir directory;
  testing::WriteParquet(directory.File("data.parquet"),
                        *testing::Int64Table({"id"}, 100), {.row_group_rows = 10});
  SetOtherFileSystems(MakeFar);
  const auto catalog =
      Catalog::Open({"far://disk" + directory.File("data.parquet")}, std::nullopt, 2);
  ROWFEED_ASSERT_OK(catalog);
  StreamOptions options;
  options.features = {{"id", {}}};
  options.delivery.batch_size = 10;
  options.num_epochs = 1;
  ROWFEED_ASSERT_OK(options.Validate(**catalog));
  const auto cursor = std::make_shared<Cursor>(
      std::make_shared<DatasetRows>(*catalog, StreamOptions{}), 0, 2, 1 << 26);

  const auto pull_all = [&](const auto& check) {
    const auto stream = BatchStream::Make(cursor, options);
    Batch batch;
    int num_pulls = 0;
    while (true) {
      const auto pull = stream->Next(std::chrono::seconds(20), &batch);
      if (pull.ok() && *pull != BatchStream::Pull::kBatch) return num_pulls;
      check(pull);
      ++num_pulls;
    }
  };
  threads_left = 1;  // the first that decodes; none that fetches
  EXPECT_EQ(10, pull_all([](const auto& pull) {
              EXPECT_THAT(pull,
                          StatusIs(StatusCode::kInternal, "cannot start a thread"));
            }));
  threads_left = std::numeric_limits<int>::max();
  EXPECT_EQ(10, pull_all([](const auto& pull) { ROWFEED_EXPECT_OK(pull); }));
}

}  // namespace
}  // namespace rowfeed
