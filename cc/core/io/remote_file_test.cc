// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/remote_file.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "core/io/buffer_pool.h"
#include "core/io/fetched_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string& Letters() {
  static const std::string letters = [] {
    std::string text(1000, ' ');
    for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 26);
    return text;
  }();
  return letters;
}

// An object in memory. Its reads first do what a test tells them to.
class FakeObject final : public RemoteObject {
 public:
  Result<int64_t> Read(const Extent& extent, uint8_t* out) const override {
    const int index = num_reads++;
    if (on_read) ROWFEED_RETURN_NOT_OK(on_read(index));
    const int64_t size = std::min<int64_t>(extent.size, limit);
    std::copy_n(Letters().begin() + extent.offset, size, out);
    return size;
  }
  Result<FileVersion> Version() const override {
    ++num_questions;
    if (!version_error.ok()) return version_error;
    return FileVersion{std::ssize(Letters()), 0, etag};
  }

  std::function<Status(int)> on_read;
  Status version_error;
  std::string etag = "one";
  int64_t limit = 1000;
  mutable std::atomic<int> num_reads{0};
  mutable std::atomic<int> num_questions{0};
};

class RemoteFileTest : public ::testing::Test {
 protected:
  std::shared_ptr<const RandomAccessFile> Open() {
    auto file =
        OpenRemoteFile("s3://b/k", object_,
                       {calls_, policy_, {.max_gap = 10, .max_request = 100}}, {});
    EXPECT_TRUE(file.ok()) << file.status().message();
    return file.ok() ? *file : nullptr;
  }

  RetryPolicy policy_{seconds(30), seconds(60), milliseconds(5), milliseconds(20)};
  const std::shared_ptr<FakeObject> object_ = std::make_shared<FakeObject>();
  const std::shared_ptr<BlockingCalls> calls_ = std::make_shared<BlockingCalls>(4);
};

std::string Read(const RandomAccessFile& file, int64_t offset, int64_t size) {
  std::string out(size, ' ');
  const Status status =
      file.ReadAt(offset, size, reinterpret_cast<uint8_t*>(out.data()));
  return status.ok() ? out : status.message();
}

TEST_F(RemoteFileTest, ReadsWhatIsThere) {
  const auto file = Open();
  EXPECT_EQ(file->size(), 1000);
  EXPECT_EQ(Read(*file, 3, 500), Letters().substr(3, 500));
  EXPECT_EQ(Read(*file, 1000, 0), "");
  EXPECT_THAT(Read(*file, 990, 11), ::testing::HasSubstr("but the file has 1000"));
}

TEST_F(RemoteFileTest, CloseExtentsAreOneRequestAndAskForTheVersionOnce) {
  const auto file = Open();
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      const auto fetched, file->Fetch({{40, 10}, {0, 32}, {500, 20}}, nullptr, {}));
  EXPECT_EQ(object_->num_reads, 2);
  EXPECT_EQ(object_->num_questions, 1);  // the question when it was opened
  ROWFEED_EXPECT_OK(file->CheckUnchanged({}));
  EXPECT_EQ(object_->num_questions, 2);
  std::string out(10, ' ');
  auto* bytes = reinterpret_cast<uint8_t*>(out.data());
  EXPECT_TRUE(CopyFetched(fetched, {40, 10}, bytes));
  EXPECT_EQ(out, Letters().substr(40, 10));
  EXPECT_TRUE(CopyFetched(fetched, {510, 10}, bytes));
  EXPECT_EQ(out, Letters().substr(510, 10));
  EXPECT_FALSE(CopyFetched(fetched, {45, 10}, bytes));
  EXPECT_FALSE(CopyFetched(fetched, {200, 1}, bytes));
}

TEST_F(RemoteFileTest, RequestsAreUnderWayAtOnce) {
  std::mutex mutex;
  std::condition_variable all;
  int num_there = 0;
  object_->on_read = [&](int) -> Status {
    std::unique_lock lock(mutex);
    ++num_there;
    all.notify_all();
    const bool met = all.wait_for(lock, seconds(20), [&] { return num_there >= 4; });
    return met ? Status() : Status(StatusCode::kIo, "alone");
  };
  EXPECT_EQ(Read(*Open(), 0, 400), Letters().substr(0, 400));
}

TEST_F(RemoteFileTest, TransientErrorsAreTriedAgain) {
  object_->on_read = [](int index) -> Status {
    return index < 3 ? Status(StatusCode::kUnavailable, "503") : Status();
  };
  EXPECT_EQ(Read(*Open(), 0, 10), Letters().substr(0, 10));
  EXPECT_EQ(object_->num_reads, 4);
}

TEST_F(RemoteFileTest, OtherErrorsAreNot) {
  object_->on_read = [](int) { return Status(StatusCode::kPermission, "no"); };
  EXPECT_EQ(Read(*Open(), 0, 10), "s3://b/k: no");
  EXPECT_EQ(object_->num_reads, 1);
}

TEST_F(RemoteFileTest, TryingEndsAtTheTotalTime) {
  policy_.total_timeout = milliseconds(1000);
  object_->on_read = [](int) { return Status(StatusCode::kUnavailable, "503"); };
  EXPECT_THAT(Read(*Open(), 0, 10), ::testing::MatchesRegex("s3://b/k: 503 .tried .*"));
  EXPECT_GT(object_->num_reads, 1);
}

TEST(RetryPolicyTest, ALargeAnswerMayTakeLonger) {
  const RetryPolicy policy;
  const RetryPolicy longer = policy.ForBytes(8 << 20);
  EXPECT_EQ(longer.attempt_timeout - policy.attempt_timeout, seconds(32));
  EXPECT_EQ(longer.total_timeout - policy.total_timeout, seconds(32));
  EXPECT_EQ(longer.longest_pause, policy.longest_pause);
}

TEST_F(RemoteFileTest, AStalledReadIsLeftBehindAndTriedAgain) {
  policy_.attempt_timeout = milliseconds(200);
  std::promise<void> release;
  object_->on_read = [released = release.get_future().share()](int index) -> Status {
    if (index == 0) released.wait();
    return {};
  };
  EXPECT_EQ(Read(*Open(), 0, 10), Letters().substr(0, 10));
  EXPECT_GE(object_->num_reads, 2);
  release.set_value();
  EXPECT_TRUE(calls_->WaitUntilIdle(seconds(30)));
}

TEST_F(RemoteFileTest, CancellingEndsAWait) {
  std::promise<void> release;
  object_->on_read = [released = release.get_future().share()](int) -> Status {
    released.wait();
    return {};
  };
  const auto file = Open();
  std::atomic<int> num_asked = 0;
  EXPECT_THAT(file->Fetch({{0, 10}}, nullptr, [&] { return ++num_asked > 1; }),
              StatusIs(StatusCode::kCancelled, "cancelled"));
  release.set_value();
}

TEST_F(RemoteFileTest, AnOverwrittenObjectIsAnError) {
  const auto file = Open();
  object_->on_read = [this](int) -> Status {
    object_->etag = "two";
    return {};
  };
  EXPECT_EQ(
      Read(*file, 0, 10),
      "s3://b/k changed since it was catalogued: size was 1000, is 1000; etag was "
      "one, is two");
}

TEST_F(RemoteFileTest, AKnownVersionIsNotAskedFor) {
  const FileVersion version{1000, 0, "one"};
  const auto file = MakeRemoteFile("s3://b/k", version, object_, {calls_});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto fetched, file->Fetch({{3, 5}}, nullptr, {}));
  EXPECT_EQ(object_->num_questions, 0);
  object_->etag = "two";
  EXPECT_THAT(file->CheckUnchanged({}), StatusIs(StatusCode::kCorrupt, "is two"));
  EXPECT_THAT(Read(*file, 3, 5), ::testing::HasSubstr("is two"));
}

TEST_F(RemoteFileTest, WhatIsFetchedIsOfTheGivenBuffers) {
  const auto buffers = BufferPool::Make(1 << 20);
  auto fetched = *Open()->Fetch({{3, 5}, {500, 7}}, buffers, {});
  EXPECT_GE(buffers->bytes_in_use(), 12);
  EXPECT_EQ(fetched[1].bytes[0], Letters()[500]);
  fetched = {};
  ASSERT_TRUE(calls_->WaitUntilIdle(seconds(30)));
  EXPECT_EQ(buffers->bytes_in_use(), 0);
}

// This test shows fault 27 of docs/reliability.md.
TEST_F(RemoteFileTest, FewerBytesAreTriedAgainAndNeverTaken) {
  object_->limit = 5;
  object_->on_read = [this](int index) -> Status {
    if (index == 2) object_->limit = 1000;
    return {};
  };
  EXPECT_EQ(Read(*Open(), 0, 10), Letters().substr(0, 10));
  EXPECT_EQ(object_->num_reads, 3);
}

TEST_F(RemoteFileTest, AMissingObjectIsNotFound) {
  object_->version_error = Status(StatusCode::kNotFound, "No such file or directory");
  EXPECT_THAT(OpenRemoteFile("s3://b/k", object_, {calls_}, {}),
              StatusIs(StatusCode::kNotFound, "s3://b/k: No such"));
}

TEST_F(RemoteFileTest, ManyReadersShareFewThreads) {
  const auto file = Open();
  std::vector<std::jthread> readers;
  std::atomic<int> num_right = 0;
  for (int i = 0; i < 8; ++i) {
    readers.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) {
        if (Read(*file, i * 10, 300) == Letters().substr(i * 10, 300)) ++num_right;
      }
    });
  }
  readers.clear();
  EXPECT_EQ(num_right, 160);
}

}  // namespace
}  // namespace rowfeed
