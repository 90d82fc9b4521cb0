// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_builder.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch/gather_rows.h"
#include "core/decode/fixed_block.h"
#include "core/decode/variable_block.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

constexpr int64_t kRows = 20;
constexpr int64_t kValidRows = 18;

std::vector<Part> NumberAndFlag() {
  Part number;
  number.unit_bytes = sizeof(int32_t);
  Part flag;
  flag.kind = Part::Kind::kMask;
  flag.unit_bytes = 1;
  return {number, flag};
}

// Rows of `num_lanes` lanes in turn: row i of lane l has the number 100 l + i and the
// flag l. The first rows of each lane come of a whole window, the others of a piece.
Batch MakeBatch(int64_t num_lanes, const std::vector<Part>& parts) {
  constexpr int64_t kOfWindow = 2;
  BatchBuilder builder(&parts, kRows, kValidRows, /*with_valid=*/false, num_lanes,
                       BufferPool::Make(1 << 20));
  EXPECT_TRUE(builder.Allocate().ok());
  for (int64_t lane = 0; lane < num_lanes; ++lane) {
    const int64_t size = (kValidRows - lane + num_lanes - 1) / num_lanes;
    std::vector<int32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), static_cast<int32_t>(100 * lane));
    const std::vector<uint8_t> flags(size, static_cast<uint8_t>(lane));
    const uint8_t* rows[] = {reinterpret_cast<const uint8_t*>(numbers.data()),
                             flags.data()};
    std::vector<uint32_t> places(size);
    std::iota(places.begin(), places.end(), uint32_t{0});
    std::vector<uint32_t> slots;
    for (int64_t i = kOfWindow; i < size; ++i) {
      slots.push_back(static_cast<uint32_t>(lane + i * num_lanes));
    }
    for (size_t part = 0; part < parts.size(); ++part) {
      const auto [begin, step] =
          builder.SlotsOf(part, {0, 0, 1, kOfWindow, lane, num_lanes});
      GatherRows(rows[part], places.data(), 1, kOfWindow, parts[part].unit_bytes, begin,
                 step);
      const auto block =
          MakeContiguousBlock(size, parts[part].unit_bytes, rows[part], {});
      const Selection rest{&places[kOfWindow], slots.data(), size - kOfWindow};
      EXPECT_TRUE(
          builder.GatherFixed(part, static_cast<const FixedBlock&>(*block), rest).ok());
    }
  }
  EXPECT_TRUE(builder.AllocateUnits().ok());
  builder.InterleaveStrips();
  return builder.Finish();
}

TEST(BatchBuilderTest, RowsOfLanesTakeTurnsWithOrWithoutStrips) {
  const std::vector<Part> parts = NumberAndFlag();
  for (const int64_t num_lanes : {1, 2, 3, 5, 9}) {  // 9 are too many for strips
    const Batch batch = MakeBatch(num_lanes, parts);
    const auto* numbers = reinterpret_cast<const int32_t*>(batch.parts[0].data);
    for (int64_t slot = 0; slot < kRows; ++slot) {
      const bool is_valid = slot < kValidRows;
      const int64_t lane = slot % num_lanes;
      EXPECT_EQ(numbers[slot], is_valid ? 100 * lane + slot / num_lanes : 0);
      EXPECT_EQ(batch.parts[1].data[slot], is_valid ? lane : 0);
    }
  }
}

class InlineStringsTest : public ::testing::Test {
 protected:
  // A batch of one part, with two rows of fill behind those of `texts`.
  Batch MakeBatch(const std::vector<std::string>& texts) {
    const auto size = std::ssize(texts);
    BatchBuilder builder(&parts_, size + 2, size, /*with_valid=*/false, /*num_lanes=*/1,
                         BufferPool::Make(1 << 20), inline_parts_);
    EXPECT_TRUE(builder.Allocate().ok());
    std::vector<parquet::ByteArray> views;
    for (const std::string& text : texts) views.emplace_back(std::string_view(text));
    const auto column = MakeViewBlock(size, /*width=*/1, views.data(), {});
    const auto& block = static_cast<const VariableBlock&>(*column);
    std::vector<uint32_t> slots(size);
    std::iota(slots.begin(), slots.end(), 0U);
    const RowRun run{0, slots.data(), size};
    builder.GatherLengths(0, block, run);
    needed_assembly_ = builder.NeedsAssembly();
    if (needed_assembly_) {
      EXPECT_TRUE(builder.AllocateUnits().ok());
      EXPECT_TRUE(builder.GatherUnits(0, block, run).ok());
    }
    return builder.Finish();
  }

  static std::vector<Part> OfStrings() {
    Part part{Part::Kind::kValues, /*is_variable=*/true, /*unit_bytes=*/1};
    part.may_be_inline = true;
    return {part};
  }

  const std::vector<Part> parts_ = OfStrings();
  const std::shared_ptr<InlineParts> inline_parts_ =
      std::make_shared<InlineParts>(parts_);
  bool needed_assembly_ = false;
};

TEST_F(InlineStringsTest, ShortStringsNeedNoAssembly) {
  const Batch batch = MakeBatch({"", "a", std::string(22, 'x')});
  EXPECT_FALSE(needed_assembly_);
  const InlineString* strings = batch.parts[0].strings;
  ASSERT_NE(strings, nullptr);
  const int64_t sizes[] = {0, 1, 22, 0, 0};
  for (int64_t row = 0; row < batch.num_rows; ++row) {
    EXPECT_TRUE(strings[row].is_known());
    EXPECT_EQ(strings[row].size(), sizes[row]);
  }
  EXPECT_EQ(strings[1].bytes[1], 'a');
}

TEST_F(InlineStringsTest, OneThatIsTooLongMakesThisBatchAndTheNextOnesOfOffsets) {
  const std::vector<int64_t> expected = {0, 1, 31, 31, 31};
  for (const bool is_first : {true, false}) {
    EXPECT_EQ(inline_parts_->contains(0), is_first);
    const Batch batch = MakeBatch({"a", std::string(30, 'x')});
    EXPECT_TRUE(needed_assembly_);
    const BatchPart& part = batch.parts[0];
    EXPECT_EQ(part.strings, nullptr);
    EXPECT_EQ(std::vector(part.offsets, part.offsets + 5), expected);
    EXPECT_EQ(std::string(part.data, part.data + 31), "a" + std::string(30, 'x'));
  }
}

}  // namespace
}  // namespace rowfeed
