// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/footer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "arrow/table.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Int64Table;
using rowfeed::testing::ParquetBytes;
using rowfeed::testing::StatusIs;

// A file in memory that records which parts are read.
class MemoryFile : public RandomAccessFile {
 public:
  // `hole` is the number of bytes in front of `bytes`, which are never read.
  explicit MemoryFile(std::string bytes, bool is_remote = false, int64_t hole = 0)
      : bytes_(std::move(bytes)),
        hole_(hole),
        version_{hole + std::ssize(bytes_), 0, {}},
        is_remote_(is_remote) {}

  Status Read(const std::vector<ReadRequest>& requests) const override {
    for (const auto& [extent, out] : requests) {
      reads.push_back(extent.size);
      std::memcpy(out, bytes_.data() + extent.offset - hole_, extent.size);
    }
    return {};
  }
  Status CheckUnchanged(const Cancelled&) const override {
    ++num_checks;
    return {};
  }
  bool is_remote() const override { return is_remote_; }
  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }

  mutable std::vector<int64_t> reads;
  mutable int num_checks = 0;

 private:
  const std::string bytes_;
  const int64_t hole_;
  const FileVersion version_;
  const bool is_remote_;
  const std::string path_ = "file.parquet";
};

std::string Small() { return ParquetBytes(*Int64Table({"x"}, 3)); }

Result<Footer> Read(std::string bytes) {
  return ReadFooter(MemoryFile(std::move(bytes)));
}

TEST(FooterTest, ReadsASmallFooterAtOnce) {
  const MemoryFile file(ParquetBytes(*Int64Table({"x"}, 100'000)));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Footer footer, ReadFooter(file));
  EXPECT_EQ(footer.metadata->num_rows(), 100'000);
  EXPECT_THAT(file.reads, ::testing::ElementsAre(64 << 10));
}

std::string WithLargeFooter(int num_columns) {
  std::vector<std::string> names;
  for (int i = 0; i < num_columns; ++i)
    names.push_back(std::string(400, 'x') + std::to_string(i));
  return ParquetBytes(*Int64Table(names, 1));
}

TEST(FooterTest, ReadsALargeFooterWithASecondRead) {
  for (const bool is_remote : {false, true}) {
    const MemoryFile file(WithLargeFooter(500), is_remote);
    ROWFEED_ASSERT_OK_AND_ASSIGN(const Footer footer, ReadFooter(file));
    EXPECT_EQ(footer.metadata->num_columns(), 500);
    ASSERT_EQ(file.reads.size(), 2u);
    EXPECT_EQ(file.reads[0], 64 << 10);
    EXPECT_GT(file.reads[1], 64 << 10);
    EXPECT_EQ(file.num_checks, 1);
  }
}

TEST(FooterTest, ReadsThatOfALargeRemoteFileAtOnce) {
  std::string bytes = WithLargeFooter(150);
  bytes.insert(4, 1 << 20, 'x');  // stands for pages
  for (const int64_t size : {int64_t{1000} << 20, int64_t{1000} << 30}) {
    const MemoryFile file(bytes, /*is_remote=*/true, size - std::ssize(bytes));
    ROWFEED_ASSERT_OK_AND_ASSIGN(const Footer footer, ReadFooter(file));
    EXPECT_EQ(footer.metadata->num_columns(), 150);
    const int64_t read = std::min<int64_t>(size / 4096, 256 << 10);
    EXPECT_THAT(file.reads, ::testing::ElementsAre(read));
    EXPECT_EQ(file.num_checks, 1);
  }
}

TEST(FooterTest, DigestIsThatOfTheFooterAlone) {
  std::string bytes = Small();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Footer footer, Read(bytes));
  bytes[4] ^= 1;  // a byte in a page
  EXPECT_EQ(Read(bytes)->digest, footer.digest);
  EXPECT_NE(Read(ParquetBytes(*Int64Table({"y"}, 3)))->digest, footer.digest);
}

TEST(FooterTest, WhatIsNotParquetIsInvalid) {
  EXPECT_THAT(Read(""),
              StatusIs(StatusCode::kInvalid, "file.parquet is not a Parquet file"));
  EXPECT_THAT(Read("a,b\n"), StatusIs(StatusCode::kInvalid, "its 4 bytes"));
  EXPECT_THAT(Read(std::string(100'000, 'x')),
              StatusIs(StatusCode::kInvalid, "not a Parquet"));
}

// This test shows fault 1 of docs/reliability.md.
TEST(FooterTest, ACutFileIsCorrupt) {
  const std::string bytes = Small();
  EXPECT_THAT(Read(bytes.substr(0, 4)), StatusIs(StatusCode::kCorrupt, "is cut off"));
  EXPECT_THAT(Read(bytes.substr(0, bytes.size() - 1)),
              StatusIs(StatusCode::kCorrupt, "cut off"));
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto footer = Read(bytes.substr(0, size));
    EXPECT_THAT(footer, StatusIs(size < 4 ? StatusCode::kInvalid : StatusCode::kCorrupt,
                                 "file.parquet"));
  }
}

TEST(FooterTest, ALyingLengthIsCorrupt) {
  std::string bytes = Small();
  for (const uint32_t length :
       {0u, static_cast<uint32_t>(bytes.size() - 7), 0xFFFFFFFFu}) {
    std::memcpy(bytes.data() + bytes.size() - 8, &length, 4);
    EXPECT_THAT(Read(bytes),
                StatusIs(StatusCode::kCorrupt, std::to_string(length) + " bytes"));
  }
}

TEST(FooterTest, AnEncryptedFooterIsUnsupported) {
  std::string bytes = Small();
  bytes.back() = 'E';
  EXPECT_THAT(Read(bytes),
              StatusIs(StatusCode::kUnsupported, "file.parquet is encrypted"));
}

TEST(FooterTest, DamageAnywhereIsAnErrorOrAFooter) {
  const std::string bytes = Small();
  int refused = 0;
  for (size_t i = bytes.size() > 800 ? bytes.size() - 800 : 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const auto footer = Read(damaged);
      if (footer.ok()) continue;
      ++refused;
      EXPECT_NE(footer.status().message().find("file.parquet"), std::string::npos);
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace rowfeed
