// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/buffer_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

namespace rowfeed {
namespace {

TEST(BufferPoolTest, AlignsAndHoldsAtLeastTheSize) {
  auto pool = BufferPool::Make(1 << 30);
  for (const int64_t size : {0, 1, 63, 1024, 1025, 1280, 4096, 5000000, 33554433}) {
    Result<Buffer> buffer = pool->Allocate(size);
    ASSERT_TRUE(buffer.ok());
    EXPECT_GE(buffer->capacity(), size + 64);
    EXPECT_LE(buffer->capacity(), (size + 64) * 5 / 4 + 1024);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0);
    std::memset(buffer->data(), 1, buffer->capacity());
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(BufferPoolTest, UsesReturnedMemoryAgain) {
  auto pool = BufferPool::Make(1 << 20);
  Buffer buffer = *pool->Allocate(5000);
  const uint8_t* data = buffer.data();
  buffer = Buffer();
  EXPECT_GT(pool->bytes_idle(), 5000);
  EXPECT_EQ(pool->Allocate(5000)->data(), data);
}

TEST(BufferPoolTest, TakesALittleLargerIdleBufferBeforeFreshMemory) {
  auto pool = BufferPool::Make(1 << 20);
  Buffer buffer = *pool->Allocate(5000);
  const uint8_t* data = buffer.data();
  buffer = Buffer();
  EXPECT_NE(pool->Allocate(2000)->data(), data);
  EXPECT_EQ(pool->Allocate(4000)->data(), data);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(BufferPoolTest, TakesWhatCameBackLastOfTheSizesThatWillDo) {
  auto pool = BufferPool::Make(1 << 20);
  Buffer exact = *pool->Allocate(4000);
  Buffer larger = *pool->Allocate(5000);
  const uint8_t* latest = larger.data();
  exact = Buffer();
  larger = Buffer();
  EXPECT_EQ(pool->Allocate(4000)->data(), latest) << "it is in the caches still";
}

TEST(BufferPoolTest, FreesWhatIsOverItsLimit) {
  auto pool = BufferPool::Make(int64_t{30} << 20);
  Buffer first = *pool->Allocate(20 << 20);
  Buffer second = *pool->Allocate(20 << 20);
  first = Buffer();
  EXPECT_EQ(pool->bytes_idle(), 0) << "with what is in use it is over the limit";
  second = Buffer();
  EXPECT_GT(pool->bytes_idle(), 20 << 20);
}

TEST(BufferPoolTest, FreesWhatLayIdleLongestWhenMemoryIsAskedFor) {
  auto pool = BufferPool::Make(int64_t{50} << 20);
  Buffer unused = *pool->Allocate(14 << 20);
  Buffer wanted = *pool->Allocate(40 << 20);
  const int64_t unused_bytes = unused.capacity();
  const int64_t wanted_bytes = wanted.capacity();
  const uint8_t* data = wanted.data();
  unused = Buffer();
  wanted = Buffer();
  EXPECT_EQ(pool->bytes_idle(), unused_bytes + wanted_bytes);
  const Buffer other = *pool->Allocate(1000);
  EXPECT_EQ(pool->bytes_idle(), wanted_bytes);
  EXPECT_EQ(pool->Allocate(40 << 20)->data(), data);
}

TEST(BufferPoolTest, FreesWhatIsFarOverItsLimitWhenItComesBack) {
  auto pool = BufferPool::Make(int64_t{50} << 20);
  std::vector<Buffer> kept;
  for (int i = 0; i < 20; ++i) kept.push_back(*pool->Allocate(10 << 20));
  kept.clear();
  EXPECT_GT(pool->bytes_idle(), int64_t{50} << 20);
  EXPECT_LE(pool->bytes_idle(), int64_t{66} << 20);
}

TEST(BufferPoolTest, NoLimitKeepsAll) {
  auto pool = BufferPool::Make(std::numeric_limits<int64_t>::max());
  std::vector<Buffer> kept;
  for (int i = 0; i < 10; ++i) kept.push_back(*pool->Allocate(10 << 20));
  kept.clear();
  EXPECT_GE(pool->bytes_idle(), int64_t{100} << 20);
}

TEST(BufferPoolTest, ThreadsGetBuffersOfTheirOwn) {
  auto pool = BufferPool::Make(int64_t{4} << 20);
  const auto use = [&pool](uint8_t mark) {
    for (int64_t i = 0; i < 2000; ++i) {
      const int64_t size = 1 + i * 7919 % (int64_t{1} << 20);
      const Buffer buffer = *pool->Allocate(size);
      std::memset(buffer.data(), mark, size);
      EXPECT_EQ(std::count(buffer.data(), buffer.data() + size, mark), size);
    }
  };
  std::thread other(use, 1);
  use(2);
  other.join();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(BufferPoolTest, KeepsALittleHoweverMuchIsInUse) {
  auto pool = BufferPool::Make(10'000);
  const Buffer held = *pool->Allocate(100'000);
  Buffer buffer = *pool->Allocate(50'000);
  const uint8_t* data = buffer.data();
  Buffer large = *pool->Allocate(17 << 20);
  buffer = Buffer();
  large = Buffer();
  EXPECT_EQ(pool->Allocate(50'000)->data(), data) << "the large one went alone";
}

TEST(BufferPoolTest, BuffersOutliveThePoolsOwner) {
  Buffer buffer = *BufferPool::Make(1 << 20)->Allocate(100);
  std::memset(buffer.data(), 7, 100);
  const Buffer moved = std::move(buffer);
  EXPECT_FALSE(
      buffer);  // NOLINT(bugprone-use-after-move): the contract of a moved Buffer
  EXPECT_EQ(moved.data()[99], 7);
}

TEST(BufferPoolTest, ImpossibleSizesAreAnError) {
  auto pool = BufferPool::Make(1 << 20);
  EXPECT_EQ(pool->Allocate(-1).status().code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(pool->Allocate(int64_t{1} << 60).status().code(), StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace rowfeed
