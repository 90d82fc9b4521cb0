// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/gather_rows.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

TEST(GatherRowsTest, CopiesRowsOfEveryWidthToEveryAddress) {
  constexpr int64_t kRows = 100;
  constexpr uint8_t kUntouched = 0xee;
  for (const int64_t width : {1, 2, 3, 4, 8, 12, 16}) {
    std::vector<uint8_t> in(kRows * width);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 7);
    for (const int64_t count : {0, 1, 3, 4, 5, 31, 64, 99}) {
      std::vector<uint32_t> from(count);
      for (int64_t i = 0; i < count; ++i) {
        from[i] = static_cast<uint32_t>(i * 37 % kRows);
      }
      for (int64_t begin = 0; begin < 17; ++begin) {
        std::vector<uint8_t> out(begin + count * width + 17, kUntouched);
        GatherRows(in.data(), from.data(), count, width, out.data() + begin);
        std::vector<uint8_t> of_few(out.size(), kUntouched);
        const std::vector<uint16_t> from_few(from.begin(), from.end());
        GatherRows(in.data(), from_few.data(), count, width, of_few.data() + begin, 1);
        std::vector<uint8_t> expected(out.size(), kUntouched);
        for (int64_t i = 0; i < count; ++i) {
          std::memcpy(expected.data() + begin + i * width, in.data() + from[i] * width,
                      width);
        }
        ASSERT_EQ(out, expected) << width << " bytes, " << count << " rows";
        ASSERT_EQ(of_few, expected) << width << " bytes, " << count << " rows";
      }
    }
  }
}

TEST(GatherRowsTest, TakesAndLeavesRowsApart) {
  const std::vector<int32_t> in = {10, 11, 12, 13, 14, 15};
  const std::vector<uint32_t> from = {5, 0, 4, 1, 3};
  const auto gather = [&](int64_t from_step, int64_t count, int64_t out_step) {
    std::vector<int32_t> out(6, -1);
    GatherRows(reinterpret_cast<const uint8_t*>(in.data()), from.data(), from_step,
               count, sizeof(int32_t), reinterpret_cast<uint8_t*>(out.data()),
               out_step);
    return out;
  };
  using Rows = std::vector<int32_t>;
  EXPECT_EQ(gather(1, 5, 1), Rows({15, 10, 14, 11, 13, -1}));
  EXPECT_EQ(gather(2, 3, 1), Rows({15, 14, 13, -1, -1, -1}));
  EXPECT_EQ(gather(1, 3, 2), Rows({15, -1, 10, -1, 14, -1}));
  EXPECT_EQ(gather(4, 2, 3), Rows({15, -1, -1, 13, -1, -1}));
}

}  // namespace
}  // namespace rowfeed
