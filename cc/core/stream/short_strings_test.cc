// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testing/batch_stream_fixture.h"

namespace rowfeed {
namespace {

class ShortStringsTest : public BatchStreamFixture {
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

  // Returns MakeTable(rows), but with text(i) as the text of row i.
  template <typename Text>
  static std::shared_ptr<arrow::Table> TableOf(int64_t rows, const Text& text) {
    arrow::StringBuilder texts;
    for (int64_t i = 0; i < rows; ++i) EXPECT_TRUE(texts.Append(text(i)).ok());
    const auto column = std::make_shared<arrow::ChunkedArray>(*texts.Finish());
    return *MakeTable(rows)->SetColumn(1, arrow::field("text", arrow::utf8()), column);
  }

  static const inline std::string kLongText = std::string(100, 'x');
};

TEST_P(ShortStringsTest, DoNotChangeTheRowsWhereTheyAreInline) {
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

TEST_P(ShortStringsTest, NeedNothingElseThatVaries) {
  Write(997, 50);
  options_.columns = {{"id", {}}, {"text", {}}};
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

TEST_P(ShortStringsTest, AreInlineWhereNoneOfTheBatchIsLong) {
  const auto text = [](int64_t id) {
    return id == 700 ? kLongText : std::to_string(id);
  };
  Write(*TableOf(2000, text), 50);
  options_.inline_strings = true;
  int64_t num_long = 0;
  for (const Batch& batch : Batches()) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    num_long += batch.parts[1].strings == nullptr ? 1 : 0;
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      EXPECT_EQ(testing::TextAt(batch.parts[1], row), text(ids[row]));
    }
  }
  EXPECT_GE(num_long, 1);
  EXPECT_LE(num_long, GetParam());  // a long string is seen in all batches of its arena
}

TEST_P(ShortStringsTest, AndOthersAreTheTextsOfTheirRows) {
  const std::function<std::string(int64_t)> texts[] = {
      [](int64_t id) { return std::string(id % 6 * 4, 'a' + id % 6); },
      [](int64_t id) { return id % 6 == 1 ? kLongText : std::to_string(id % 6); },
      [](int64_t id) { return kLongText + std::to_string(id); }};
  for (const auto& text : texts) {
    Write(*TableOf(9973, text), 1000);
    for (const int64_t lanes : {1, 3}) {
      for (const auto remainder : {Remainder::kPad, Remainder::kUneven}) {
        options_.order.num_lanes = lanes;
        options_.delivery = {100, 0, 2, remainder};
        MakeCursor();
        int64_t num_rows = 0;
        for (const Batch& batch : Batches()) {
          const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
          for (int64_t row = 0; row < batch.num_rows; ++row) {
            const bool is_fill = batch.valid != nullptr && batch.valid[row] == 0;
            ASSERT_EQ(testing::TextAt(batch.parts[1], row),
                      is_fill ? "" : text(ids[row]));
            num_rows += is_fill ? 0 : 1;
          }
        }
        EXPECT_NEAR(num_rows, 9973 / 2, 100);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, ShortStringsTest,
                         ::testing::Values(1, 3, 64));

}  // namespace
}  // namespace rowfeed
