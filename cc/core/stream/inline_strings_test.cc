// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/stream/batch_stream_fixture.h"

namespace rowfeed {
namespace {

class InlineStringsTest : public BatchStreamFixture {
 protected:
  std::vector<Batch> Batches() {
    const auto stream = Stream();
    std::vector<Batch> batches(1);
    while (*stream->Next(kLong, &batches.back()) == BatchStream::Pull::kBatch) {
      batches.emplace_back();
    }
    batches.pop_back();
    return batches;
  }

  // As MakeTable, but the text of one row is longer than any that is inline.
  static std::shared_ptr<arrow::Table> TableWithALongText(int64_t rows, int64_t at) {
    arrow::StringBuilder texts;
    for (int64_t i = 0; i < rows; ++i) {
      EXPECT_TRUE(texts.Append(i == at ? kLongText : std::to_string(i)).ok());
    }
    const auto column = std::make_shared<arrow::ChunkedArray>(*texts.Finish());
    return *MakeTable(rows)->SetColumn(1, arrow::field("text", arrow::utf8()), column);
  }

  static const inline std::string kLongText = std::string(100, 'x');
};

TEST_P(InlineStringsTest, DoNotChangeTheRows) {
  Write(997, 50);
  for (const int64_t lanes : {1, 3}) {
    for (const auto remainder : {Remainder::kPad, Remainder::kUneven}) {
      options_.order.num_lanes = lanes;
      options_.delivery = {10, 0, 2, remainder};
      options_.inline_strings = false;
      MakeCursor();
      const auto expected = ReadAll(Stream().get());
      options_.inline_strings = true;
      MakeCursor();
      EXPECT_EQ(ReadAll(Stream().get()), expected);
      MakeCursor();
      for (const Batch& batch : Batches()) {
        ASSERT_NE(batch.parts[1].strings, nullptr);
        for (int64_t row = 0; row < batch.num_rows; ++row) {
          if (batch.valid == nullptr || batch.valid[row] != 0) continue;
          EXPECT_EQ(testing::TextAt(batch.parts[1], row), "");
        }
      }
    }
  }
}

TEST_P(InlineStringsTest, NeedNothingElseThatVaries) {
  Write(997, 50);
  options_.features = {{"id", {}}, {"text", {}}};
  options_.inline_strings = true;
  int64_t num_rows = 0;
  for (const Batch& batch : Batches()) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      EXPECT_EQ(testing::TextAt(batch.parts[1], row),
                "row " + std::to_string(ids[row]));
    }
    num_rows += batch.num_rows;
  }
  EXPECT_EQ(num_rows, 997);
}

TEST_P(InlineStringsTest, AreNoneOnceThereWasALongOne) {
  Write(*TableWithALongText(2000, 700), 50);
  options_.inline_strings = true;
  options_.num_epochs = 2;
  bool was_long = false;
  for (const Batch& batch : Batches()) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      const bool is_long = ids[row] == 700;
      EXPECT_EQ(testing::TextAt(batch.parts[1], row),
                is_long ? kLongText : std::to_string(ids[row]));
      was_long = was_long || is_long;
    }
  }
  EXPECT_TRUE(was_long);
  EXPECT_EQ(Batches().back().parts[1].strings, nullptr);
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, InlineStringsTest,
                         ::testing::Values(1, 3, 64));

}  // namespace
}  // namespace rowfeed
