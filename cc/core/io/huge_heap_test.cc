// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/huge_heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <map>
#include <random>

namespace rowfeed {
namespace {

TEST(HugeHeapTest, SpansInUseNeverOverlapAndKeepTheirBytes) {
  HugeHeap heap;
  std::map<uint8_t*, int64_t> spans;
  std::mt19937_64 random(11);
  for (int step = 0; step < 4000; ++step) {
    if (spans.size() < 40 && random() % 5 < 3) {
      // Sizes from 64 bytes to those that need a region of their own.
      const int64_t size = (int64_t{64} << random() % 20) * (1 + random() % 3);
      uint8_t* data = heap.Allocate(size);
      ASSERT_NE(data, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0);
      const auto next = spans.lower_bound(data);
      ASSERT_TRUE(next == spans.end() || data + size <= next->first);
      ASSERT_TRUE(next == spans.begin() ||
                  std::prev(next)->first + std::prev(next)->second <= data);
      data[0] = data[size - 1] = static_cast<uint8_t>(size / 64);
      spans[data] = size;
    } else if (!spans.empty()) {
      const auto span = std::next(spans.begin(), random() % spans.size());
      const auto& [data, size] = *span;
      ASSERT_EQ(data[0], static_cast<uint8_t>(size / 64));
      ASSERT_EQ(data[size - 1], static_cast<uint8_t>(size / 64));
      heap.Free(data, size);
      spans.erase(span);
    }
  }
}

#ifndef ROWFEED_GUARDED_SPANS  // with guards, each span is a region

TEST(HugeHeapTest, WhatIsFreedIsTakenAgainWhole) {
  HugeHeap heap;
  uint8_t* const first = heap.Allocate(1 << 20);
  uint8_t* const second = heap.Allocate(1 << 20);
  uint8_t* const third = heap.Allocate(1 << 20);
  EXPECT_EQ(second, first + (1 << 20));
  heap.Free(first, 1 << 20);
  EXPECT_EQ(heap.Allocate(1 << 20), first) << "the smallest span that is large enough";
  heap.Free(second, 1 << 20);
  heap.Free(first, 1 << 20);
  EXPECT_EQ(heap.Allocate(2 << 20), first) << "neighbours become one";
  EXPECT_EQ(third, first + (2 << 20));
}

TEST(HugeHeapTest, GivesPagesBackThatNobodyUses) {
  constexpr int64_t kSize = 8 << 20;
  HugeHeap heap;
  uint8_t* const data = heap.Allocate(kSize);
  heap.Allocate(64);  // keeps the region in use
  std::memset(data, 7, kSize);
  heap.Free(data, kSize);
  ASSERT_EQ(heap.Allocate(kSize), data);
  EXPECT_EQ(data[kSize / 2], 0);
}

#endif

// Guarded spans and ThreadSanitizer abort at such sizes.
#if !defined(ROWFEED_GUARDED_SPANS) && !defined(__SANITIZE_THREAD__)

TEST(HugeHeapTest, ImpossibleSizesAreNull) {
  EXPECT_EQ(HugeHeap().Allocate(int64_t{1} << 60), nullptr);
}

#endif

}  // namespace
}  // namespace rowfeed
