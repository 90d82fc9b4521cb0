// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_systems.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/io/file_cache.h"
#include "testing/fork.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Fork;
using rowfeed::testing::StatusIs;

std::atomic<bool> is_gone = false;

// A remote file of ten bytes, which can be read until `is_gone` is set.
class Object final : public RandomAccessFile {
 public:
  Status Read(const std::vector<ReadRequest>&) const override {
    if (is_gone) return {StatusCode::kNotFound, "it is gone"};
    return {};
  }
  bool is_remote() const override { return true; }
  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }

 private:
  const FileVersion version_{.size = 10, .mtime_ns = 0, .etag = "one"};
  const std::string path_ = "store://bucket/key";
};

class Store final : public FileSystem {
 public:
  explicit Store(std::string user) : user_(std::move(user)) {}
  Result<struct stat> Stat(const std::string&, const Cancelled&) const override {
    return Status(StatusCode::kNotFound, "no names");
  }
  Result<DirectoryEntries> List(const std::string&, const Cancelled&) const override {
    return Status(StatusCode::kNotFound, "no names");
  }
  Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string&, const Cancelled&) const override {
    if (is_gone) return Status(StatusCode::kNotFound, "it is gone");
    return std::shared_ptr<const RandomAccessFile>(std::make_shared<Object>());
  }
  std::string Shown(const std::string& path) const override { return user_ + path; }

 private:
  const std::string user_;
};

class FileSystemsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    is_gone = false;
    SetOtherFileSystems(
        [](const Uri& uri,
           std::shared_ptr<BlockingCalls>) -> std::shared_ptr<const FileSystem> {
          // Takes some time, so that threads of a forked process use the parent's table
          // at once.
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          return std::make_shared<Store>(uri.secret_user);
        });
  }
};

std::string UserOf(const std::string& uri) {
  const auto files = FileSystemOf(*ParseUri(uri));
  return files.ok() ? (*files)->Shown("") : files.status().message();
}

// ThreadSanitizer allows no threads in forked processes.
#if !defined(__SANITIZE_THREAD__)
TEST_F(FileSystemsTest, ThreadsOfAForkedProcessThatAskAtOnceHaveItsCredentials) {
  const std::string known = UserOf("store://KEY:SECRET@forked/key");
  EXPECT_EQ(known, "KEY:SECRET@");
  const int num_others = Fork([&] {
    std::atomic<int> others = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        if (UserOf("store://forked/key") != known) ++others;
      });
    }
    for (std::thread& thread : threads) thread.join();
    return others.load();
  });
  EXPECT_EQ(num_others, 0);
}
#endif

TEST_F(FileSystemsTest, AFileThatCouldNotBeReadIsOpenedAnew) {
  const std::string path = "store://read/key";
  const FileVersion version = (*OpenFile(path))->version();
  CachedFile file(std::make_shared<FileCache>(8), path, version);
  ROWFEED_EXPECT_OK(file.Fetch({{0, 10}}, nullptr, {}));
  is_gone = true;
  EXPECT_THAT(file.Fetch({{0, 10}}, nullptr, {}),
              StatusIs(StatusCode::kNotFound, "gone"));
  EXPECT_THAT(file.Hold(), StatusIs(StatusCode::kNotFound, "gone"));
}

}  // namespace
}  // namespace rowfeed
