// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/posix_status.h"
#include "core/io/random_access_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;

// Writes a file and dates it an hour back, so that the next write surely changes its
// mtime.
void Age(const std::string& path) {
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) - std::chrono::hours(1));
}

class LocalFileTest : public ::testing::Test {
 protected:
  std::string Read(const RandomAccessFile& file, int64_t offset, int64_t size) {
    std::string out(size, '?');
    status_ = file.ReadAt(offset, size, reinterpret_cast<uint8_t*>(out.data()));
    return out;
  }

  TempDir dir_;
  Status status_;
};

TEST_F(LocalFileTest, ReadsAnywhereAndKnowsItsSize) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "0123456789");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  EXPECT_EQ(file->size(), 10);
  EXPECT_EQ(file->path(), path);
  EXPECT_EQ(Read(*file, 3, 4), "3456");
  EXPECT_EQ(Read(*file, 0, 10), "0123456789");
  EXPECT_EQ(Read(*file, 10, 0), "");
  ROWFEED_EXPECT_OK(status_);
}

// The file system decides whether the file's bytes are in the page cache.
TEST_F(LocalFileTest, WhatIsBehindItsEndIsNotCached) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "0123456789");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  EXPECT_EQ(file->IsInPageCache(0), file->IsInPageCache(9));
  EXPECT_FALSE(file->IsInPageCache(10));
}

TEST_F(LocalFileTest, ReadsManyAtOnce) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "0123456789");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  std::string out(6, '?');
  auto* const bytes = reinterpret_cast<uint8_t*>(out.data());
  ROWFEED_ASSERT_OK(
      file->Read({{{7, 3}, bytes}, {{2, 0}, bytes + 3}, {{0, 3}, bytes + 3}}));
  EXPECT_EQ(out, "789012");
  EXPECT_THAT(file->Read({{{0, 3}, bytes}, {{8, 3}, bytes + 3}}),
              StatusIs(StatusCode::kCorrupt, path));
}

// Reads each byte with a request of its own; those of the middle third from last to
// first.
TEST_F(LocalFileTest, ReadsWhatLiesSideBySideWhereEachIsWanted) {
  const std::string path = dir_.File("x");
  std::string bytes(3000, '?');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  WriteBytes(path, bytes);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  std::string out(bytes.size(), '?');
  std::vector<ReadRequest> requests;
  for (int64_t i = 0; i < 3000; ++i) {
    const int64_t offset = i / 1000 == 1 ? 2999 - i : i;
    // In memory, the bytes are in reverse order.
    requests.push_back(
        {{offset, 1}, reinterpret_cast<uint8_t*>(out.data()) + (2999 - offset)});
  }
  ROWFEED_EXPECT_OK(file->Read(requests));
  EXPECT_EQ(out, std::string(bytes.rbegin(), bytes.rend()));
  EXPECT_EQ(NumReads(requests), 1 + 1000 + 1);
}

TEST_F(LocalFileTest, NoticesThatWhatLiesSideBySideIsCutOff) {
  const std::string path = dir_.File("x");
  WriteBytes(path, std::string(1000, 'x'));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  std::string out(1000, '?');
  auto* to = reinterpret_cast<uint8_t*>(out.data());
  EXPECT_THAT(file->Read({{{600, 300}, to}, {{900, 101}, to + 300}}),
              StatusIs(StatusCode::kCorrupt, "the file has 1000"));
  std::filesystem::resize_file(path, 700);
  EXPECT_THAT(file->Read({{{600, 200}, to}, {{800, 200}, to + 200}}),
              StatusIs(StatusCode::kCorrupt, "changed since it was catalogued"));
}

TEST_F(LocalFileTest, RefusesRangesOutsideOfTheFile) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "0123456789");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  uint8_t byte;
  EXPECT_THAT(file->ReadAt(10, 1, &byte), StatusIs(StatusCode::kCorrupt, path));
  EXPECT_THAT(file->ReadAt(-1, 1, &byte), StatusIs(StatusCode::kCorrupt, path));
  EXPECT_THAT(file->ReadAt(0, -1, &byte), StatusIs(StatusCode::kCorrupt, path));
  EXPECT_THAT(file->ReadAt(1, INT64_MAX, &byte), StatusIs(StatusCode::kCorrupt, path));
}

TEST_F(LocalFileTest, NoticesTruncation) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "0123456789");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  ASSERT_EQ(::truncate(path.c_str(), 5), 0);
  Read(*file, 2, 6);
  EXPECT_THAT(status_, StatusIs(StatusCode::kCorrupt, "size was 10, is 5"));
}

// This test shows fault 4 of docs/reliability.md.
TEST_F(LocalFileTest, NoticesARewriteInPlace) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "0123456789");
  Age(path);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  Read(*file, 0, 10);
  ROWFEED_ASSERT_OK(status_);
  WriteBytes(path, "9876543210");
  Read(*file, 0, 10);
  EXPECT_THAT(status_, StatusIs(StatusCode::kCorrupt, path + " changed"));
}

// This test shows fault 4 of docs/reliability.md.
TEST_F(LocalFileTest, ReadsOnWhenAnotherFileTakesTheName) {
  const std::string path = dir_.File("x");
  WriteBytes(path, "old");
  WriteBytes(dir_.File("y"), "new");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file, OpenLocalFile(path));
  std::filesystem::rename(dir_.File("y"), path);
  EXPECT_EQ(Read(*file, 0, 3), "old");
  ROWFEED_EXPECT_OK(status_);
}

// This test shows fault 31 of docs/reliability.md.
TEST_F(LocalFileTest, RefusesWhatIsNotARegularFile) {
  EXPECT_THAT(OpenLocalFile(dir_.path()),
              StatusIs(StatusCode::kInvalid, "a directory"));
  EXPECT_THAT(OpenLocalFile("/dev/zero"),
              StatusIs(StatusCode::kInvalid, "/dev/zero is a device"));
  const std::string fifo = dir_.File("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(OpenLocalFile(fifo), StatusIs(StatusCode::kInvalid, fifo + " is a FIFO"));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = dir_.File("s");
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, name.c_str(), name.size());
  const int bound = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(bound, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_THAT(OpenLocalFile(name), StatusIs(StatusCode::kInvalid, "a socket"));
  ::close(bound);
}

TEST_F(LocalFileTest, SaysWhyAFileCannotBeOpened) {
  EXPECT_THAT(OpenLocalFile(dir_.File("none")),
              StatusIs(StatusCode::kNotFound, dir_.File("none") + ": No such file"));
  WriteBytes(dir_.File("x"), "");
  EXPECT_THAT(OpenLocalFile(dir_.File("x") + "/y"),
              StatusIs(StatusCode::kNotFound, "x/y"));
  EXPECT_THAT(ErrnoStatus(EACCES, "p"),
              StatusIs(StatusCode::kPermission, "p: Permission"));
  EXPECT_THAT(ErrnoStatus(EIO, "p"),
              StatusIs(StatusCode::kIo, "p: Input/output error"));
  EXPECT_THAT(ErrnoStatus(ESTALE, "p"), StatusIs(StatusCode::kNotFound, "p: Stale"));
  EXPECT_THAT(ErrnoStatus(ENOMEM, "p"), StatusIs(StatusCode::kOutOfMemory, "p: "));
}

}  // namespace
}  // namespace rowfeed
