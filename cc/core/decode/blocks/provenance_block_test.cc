// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/provenance_block.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

constexpr RowGroup kGroup{.file = 5, .index = 3, .rows = 100};

template <typename T>
std::vector<T> Copied(const ColumnBlock& block) {
  std::vector<T> values(block.num_rows());
  static_cast<const FixedBlock&>(block).CopyRows(
      reinterpret_cast<uint8_t*>(values.data()));
  return values;
}

TEST(ProvenanceBlockTest, SaysWhereTheRowsLie) {
  const auto file = MakeProvenanceBlock(Provenance::kFile, kGroup, 40, 43);
  const auto group = MakeProvenanceBlock(Provenance::kRowGroup, kGroup, 40, 43);
  const auto row = MakeProvenanceBlock(Provenance::kRow, kGroup, 40, 43);
  EXPECT_EQ(Copied<int32_t>(*file), (std::vector<int32_t>{5, 5, 5}));
  EXPECT_EQ(Copied<int32_t>(*group), (std::vector<int32_t>{3, 3, 3}));
  EXPECT_EQ(Copied<int64_t>(*row), (std::vector<int64_t>{40, 41, 42}));
}

TEST(ProvenanceBlockTest, GathersTheRowsSelected) {
  const auto block = MakeProvenanceBlock(Provenance::kRow, kGroup, 40, 60);
  const std::vector<uint32_t> rows{7, 0, 19};
  const std::vector<uint32_t> slots{0, 2, 3};
  std::vector<int64_t> values(5, -1);
  ROWFEED_ASSERT_OK(static_cast<const FixedBlock&>(*block).Gather(
      {rows.data(), slots.data(), 3}, reinterpret_cast<uint8_t*>(values.data())));
  EXPECT_EQ(values, (std::vector<int64_t>{47, -1, 40, 59, -1}));
}

}  // namespace
}  // namespace rowfeed
