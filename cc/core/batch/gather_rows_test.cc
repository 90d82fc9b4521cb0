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
        std::vector<uint8_t> expected(out.size(), kUntouched);
        for (int64_t i = 0; i < count; ++i) {
          std::memcpy(expected.data() + begin + i * width, in.data() + from[i] * width,
                      width);
        }
        ASSERT_EQ(out, expected) << width << " bytes, " << count << " rows";
      }
    }
  }
}

}  // namespace
}  // namespace rowfeed
