// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/batch_builder.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "core/batch/gather_rows.h"
#include "core/decode/blocks/fixed_block.h"
#include "gtest/gtest.h"
#include "testing/text_at.h"

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

// Makes a batch in which the rows of `num_lanes` lanes alternate: row i of lane l has
// the number 100 l + i and the flag l. The first rows of each lane are gathered from a
// whole window, the others from a piece.
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
  EXPECT_TRUE(builder.InterleaveStrips().ok());
  return builder.Finish();
}

TEST(BatchBuilderTest, RowsOfLanesTakeTurnsWithOrWithoutStrips) {
  const std::vector<Part> parts = NumberAndFlag();
  // 9 lanes have too few rows for strips.
  for (const int64_t num_lanes : {1, 2, 3, 5, 9}) {
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

// Makes a batch of strings that are referred to, of alternating lanes, with two rows of
// fill at the end.
Batch MakeStrings(const std::vector<std::string>& texts, bool may_be_inline,
                  int64_t num_lanes) {
  Part part{Part::Kind::kValues, /*is_variable=*/true, /*unit_bytes=*/1};
  part.is_referred_to = true;
  part.may_be_inline = may_be_inline;
  const std::vector<Part> parts = {part};
  const auto size = std::ssize(texts);
  BatchBuilder builder(&parts, size + 2, size, /*with_valid=*/false, num_lanes,
                       BufferPool::Make(1 << 20));
  EXPECT_TRUE(builder.Allocate().ok());
  std::vector<InlineString> strings;
  for (const std::string& text : texts) {
    const auto* data = reinterpret_cast<const uint8_t*>(text.data());
    strings.push_back(InlineString::Make(data, std::ssize(text)));
  }
  for (int64_t lane = 0; lane < num_lanes; ++lane) {
    std::vector<const InlineString*> rows;
    for (int64_t i = lane; i < size; i += num_lanes) rows.push_back(&strings[i]);
    std::vector<uint32_t> places(rows.size());
    std::iota(places.begin(), places.end(), 0U);
    const auto [begin, step] =
        builder.SlotsOf(0, {0, 0, 1, std::ssize(rows), lane, num_lanes});
    GatherRows(reinterpret_cast<const uint8_t*>(rows.data()), places.data(), 1,
               std::ssize(rows), sizeof(rows[0]), begin, step);
  }
  EXPECT_TRUE(builder.NeedsAssembly());
  EXPECT_TRUE(builder.AllocateUnits().ok());
  EXPECT_TRUE(builder.InterleaveStrips().ok());
  return builder.Finish();
}

// Returns short strings, among them the longest that are short.
std::vector<std::string> ShortTexts() {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 50; ++i) texts.emplace_back(i * 7 % 23, 'a' + i % 26);
  return texts;
}

TEST(BatchBuilderTest, StringsThatAreReferredToComeOneAfterTheOther) {
  std::vector<std::string> texts = ShortTexts();
  for (const bool has_long : {false, true}) {
    if (has_long) texts[30] = texts[49] = std::string(1000, 'x');
    // 50 lanes have too few rows for strips.
    for (const int64_t num_lanes : {1, 3, 50}) {
      const Batch batch = MakeStrings(texts, /*may_be_inline=*/has_long, num_lanes);
      EXPECT_EQ(batch.parts[0].strings, nullptr);
      for (int64_t row = 0; row < batch.num_rows; ++row) {
        EXPECT_EQ(testing::TextAt(batch.parts[0], row),
                  row < std::ssize(texts) ? texts[row] : "");
      }
    }
  }
}

TEST(BatchBuilderTest, StringsAreInlineIfAllAreShort) {
  const std::vector<std::string> texts = ShortTexts();
  for (const int64_t num_lanes : {1, 3, 50}) {
    const Batch batch = MakeStrings(texts, true, num_lanes);
    EXPECT_EQ(batch.parts[0].offsets, nullptr);
    ASSERT_NE(batch.parts[0].strings, nullptr);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      EXPECT_EQ(testing::TextAt(batch.parts[0], row),
                row < std::ssize(texts) ? texts[row] : "");
    }
  }
}

}  // namespace
}  // namespace rowfeed
