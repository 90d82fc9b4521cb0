// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_cache.h"

#include <sys/resource.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;

class FileCacheTest : public ::testing::Test {
 protected:
  struct Known {
    std::string path;
    FileVersion version;
  };

  Known Write(const std::string& name, const std::string& bytes) {
    const std::string path = dir_.File(name);
    WriteBytes(path, bytes);
    const auto file = *OpenLocalFile(path);
    return {path, file->version()};
  }

  static Result<std::shared_ptr<const RandomAccessFile>> Get(FileCache* cache,
                                                             const Known& known) {
    return cache->Get(known.path, known.version);
  }

  static size_t CountOpen(const std::string& directory) {
    size_t count = 0;
    for (const auto& fd : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      const std::string target = std::filesystem::read_symlink(fd, gone).string();
      count += target.starts_with(directory) ? 1 : 0;
    }
    return count;
  }

  TempDir dir_;
};

TEST_F(FileCacheTest, OpensAFileOnce) {
  FileCache cache(2);
  const Known a = Write("a", "1");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto first, Get(&cache, a));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto second, Get(&cache, a));
  EXPECT_EQ(first, second);
}

TEST_F(FileCacheTest, ClosesTheLeastRecentlyUsed) {
  FileCache cache(2);
  const Known a = Write("a", "1"), b = Write("b", "2"), c = Write("c", "3");
  const RandomAccessFile* first_a = Get(&cache, a)->get();
  const std::weak_ptr<const RandomAccessFile> first_b = *Get(&cache, b);
  EXPECT_EQ(Get(&cache, a)->get(), first_a);
  ROWFEED_ASSERT_OK(Get(&cache, c));
  EXPECT_TRUE(first_b.expired());
  EXPECT_EQ(Get(&cache, a)->get(), first_a);
  EXPECT_EQ(CountOpen(dir_.path()), 2u);
}

TEST_F(FileCacheTest, KeepsAFileInUseOpen) {
  FileCache cache(1);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto a, Get(&cache, Write("a", "1")));
  ROWFEED_ASSERT_OK(Get(&cache, Write("b", "2")));
  uint8_t byte = 0;
  ROWFEED_ASSERT_OK(a->ReadAt(0, 1, &byte));
  EXPECT_EQ(byte, '1');
}

TEST_F(FileCacheTest, RefusesAnotherVersion) {
  FileCache cache(1);
  Known a = Write("a", "1");
  ++a.version.mtime_ns;
  EXPECT_THAT(Get(&cache, a), StatusIs(StatusCode::kCorrupt, "mtime was"));
  --a.version.mtime_ns;
  ++a.version.size;
  EXPECT_THAT(Get(&cache, a), StatusIs(StatusCode::kCorrupt, "size was 2, is 1"));
  --a.version.size;
  ROWFEED_EXPECT_OK(Get(&cache, a));
}

TEST_F(FileCacheTest, OpensANewVersionForThoseWhoKnowIt) {
  FileCache cache(1);
  const Known before = Write("a", "1");
  ROWFEED_ASSERT_OK(Get(&cache, before));
  const Known after = Write("a", "22");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, Get(&cache, after));
  EXPECT_EQ(file->size(), 2);
  EXPECT_THAT(Get(&cache, before), StatusIs(StatusCode::kCorrupt, "size was 1, is 2"));
}

TEST_F(FileCacheTest, SaysWhichFileIsGone) {
  FileCache cache(1);
  const Known a = Write("a", "1");
  std::filesystem::remove(a.path);
  EXPECT_THAT(Get(&cache, a), StatusIs(StatusCode::kNotFound, a.path));
}

TEST_F(FileCacheTest, ManyHeldFilesLeaveDescriptorsToOthers) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{256, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto cache = std::make_shared<FileCache>(2);
  std::vector<CachedFile> files;
  for (int i = 0; i < 400; ++i) {
    const Known known = Write(std::to_string(i), "1");
    files.emplace_back(cache, known.path, known.version);
    ROWFEED_EXPECT_OK(files.back().Hold());
    ROWFEED_EXPECT_OK(files.back().Hold());
  }
  EXPECT_LE(CountOpen(dir_.path()), 64u + 2u);
  uint8_t byte = 0;
  for (const CachedFile& file : files) ROWFEED_EXPECT_OK(file.ReadAt(0, 1, &byte));
  std::filesystem::remove(files.front().path());
  std::filesystem::remove(files[100].path());
  ROWFEED_EXPECT_OK(files.front().ReadAt(0, 1, &byte));
  EXPECT_THAT(files[100].ReadAt(0, 1, &byte), StatusIs(StatusCode::kNotFound, ""));
  files.clear();
  EXPECT_EQ(CountOpen(dir_.path()), 2u);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(FileCacheTest, ServesManyThreads) {
  FileCache cache(3);
  std::vector<Known> files;
  for (int i = 0; i < 8; ++i)
    files.push_back(Write(std::to_string(i), std::string(1, 'a' + i)));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const int f = (i * (t + 3) + t) % 8;
        uint8_t byte = 0;
        auto file = Get(&cache, files[f]);
        if (!file.ok() || !(*file)->ReadAt(0, 1, &byte).ok() || byte != 'a' + f)
          ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
  EXPECT_LE(CountOpen(dir_.path()), 3u);
}

}  // namespace
}  // namespace rowfeed
