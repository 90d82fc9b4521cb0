// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/interleave.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

TEST(InterleaveTest, PutsRowsSideBySide) {
  for (const int64_t width : {1, 2, 4, 8}) {
    for (const int64_t num_rows : {0, 1, 31, 32, 33, 100}) {
      for (const int64_t num_columns : {1, 2, 50}) {
        std::vector<std::vector<uint8_t>> columns(num_columns);
        std::vector<const uint8_t*> data;
        uint8_t next = 0;
        for (auto& column : columns) {
          for (int64_t i = 0; i < num_rows * width; ++i) column.push_back(next += 7);
          data.push_back(column.data());
        }
        std::vector<uint8_t> out(num_rows * num_columns * width);
        Interleave(data, width, num_rows, out.data());
        const uint8_t* found = out.data();
        for (int64_t row = 0; row < num_rows; ++row) {
          for (const auto& column : columns) {
            for (int64_t i = 0; i < width; ++i) {
              ASSERT_EQ(*found++, column[row * width + i]);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace rowfeed
