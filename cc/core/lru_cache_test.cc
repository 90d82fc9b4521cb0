// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lru_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

struct Sized {
  int64_t bytes;
  int64_t bytes_held() const { return bytes; }
};
using Pointer = std::shared_ptr<const Sized>;

auto Make(int64_t bytes) {
  return [bytes]() -> Result<Pointer> { return std::make_shared<const Sized>(bytes); };
}

TEST(LruCacheTest, DropsWhatWasNotUsedForLongest) {
  LruCache<Sized> cache(30);
  for (const int64_t key : {1, 2, 3}) {
    ASSERT_THAT(cache.GetOrMake(key, Make(10)), testing::IsOk());
  }
  EXPECT_NE(cache.Find(1), nullptr);
  ASSERT_THAT(cache.GetOrMake(4, Make(10)), testing::IsOk());
  EXPECT_EQ(cache.Find(2), nullptr);
  EXPECT_NE(cache.Find(1), nullptr);
  EXPECT_NE(cache.Find(3), nullptr);
  EXPECT_EQ(cache.bytes(), 30);
}

TEST(LruCacheTest, AValueThatDoesNotFitDropsNoOther) {
  LruCache<Sized> cache(30);
  ASSERT_THAT(cache.GetOrMake(1, Make(10)), testing::IsOk());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Pointer large, cache.GetOrMake(2, Make(31)));
  EXPECT_EQ(large->bytes, 31);
  EXPECT_EQ(cache.Find(2), nullptr);
  EXPECT_NE(cache.Find(1), nullptr);
}

TEST(LruCacheTest, AValueInUseOutlivesItsPlace) {
  LruCache<Sized> cache(10);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Pointer first, cache.GetOrMake(1, Make(10)));
  ASSERT_THAT(cache.GetOrMake(2, Make(10)), testing::IsOk());
  EXPECT_EQ(cache.Find(1), nullptr);
  EXPECT_EQ(first->bytes, 10);
}

TEST(LruCacheTest, AfterAFailureItIsTriedAgain) {
  LruCache<Sized> cache(10);
  EXPECT_THAT(cache.GetOrMake(
                  1, []() -> Result<Pointer> { return Status::Corrupt("damaged"); }),
              StatusIs(StatusCode::kCorrupt, "damaged"));
  EXPECT_THROW(static_cast<void>(cache.GetOrMake(
                   1, []() -> Result<Pointer> { throw std::runtime_error("no"); })),
               std::runtime_error);
  EXPECT_THAT(cache.GetOrMake(1, Make(3)), testing::IsOk());
}

TEST(LruCacheTest, WhatManyThreadsAskForIsMadeOnce) {
  LruCache<Sized> cache(1000);
  std::atomic<int> num_made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int64_t key = 0; key < 50; ++key) {
        const auto made = cache.GetOrMake(key, [&]() -> Result<Pointer> {
          ++num_made;
          std::this_thread::yield();
          return std::make_shared<const Sized>(1);
        });
        EXPECT_THAT(made, testing::IsOk());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_made, 50);
}

}  // namespace
}  // namespace rowfeed
