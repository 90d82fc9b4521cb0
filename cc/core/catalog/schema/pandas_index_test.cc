// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/pandas_index.h"

#include <memory>
#include <string>
#include <vector>

#include "arrow/util/key_value_metadata.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/schema_fixture.h"

namespace rowfeed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PandasIndex, NamesAreThoseOfTheMetadata) {
  EXPECT_THAT(PandasIndexColumns(R"({"index_columns": ["__index_level_0__"], "c": 1})"),
              ElementsAre("__index_level_0__"));
  EXPECT_THAT(PandasIndexColumns(R"({"index_columns":["a\"b" , "c"]})"),
              ElementsAre("a\"b", "c"));
}

TEST(PandasIndex, AnIndexThatIsNotStoredHasNoName) {
  EXPECT_THAT(
      PandasIndexColumns(
          R"({"index_columns": [{"kind": "range", "name": null, "start": 0}], "x": ["y"]})"),
      IsEmpty());
}

TEST(PandasIndex, OtherTextHasNoNames) {
  for (const char* text :
       {"", "{}", "\"index_columns\"", "{\"index_columns\": null}",
        "{\"index_columns\": [\"unclosed", "{\"index_columns\": ["}) {
    EXPECT_THAT(PandasIndexColumns(text), IsEmpty()) << text;
  }
}

std::vector<std::string> MarkedIn(const std::string& pandas) {
  auto table =
      testing::TableOf({{arrow::field("x", arrow::int64()), "[]"},
                        {arrow::field("day", arrow::int64()), "[]"},
                        {arrow::field("__index_level_0__", arrow::int64()), "[]"},
                        {arrow::field("__index_level_x__", arrow::int64()), "[]"}});
  if (!pandas.empty()) {
    table =
        table->ReplaceSchemaMetadata(arrow::key_value_metadata({"pandas"}, {pandas}));
  }
  const auto schema = ReadSchema(*MetadataOf(testing::ParquetBytes(*table)));
  EXPECT_THAT(schema, testing::IsOk());
  std::vector<std::string> marked;
  for (const SchemaColumn& column : *schema) {
    if (column.column.is_added_index) marked.push_back(column.column.name);
  }
  return marked;
}

TEST(PandasIndex, OnlyAnIndexWithoutANameOfItsOwnIsAnAddedOne) {
  EXPECT_THAT(MarkedIn(R"({"index_columns": ["__index_level_0__", "day"]})"),
              ElementsAre("__index_level_0__"));
  EXPECT_THAT(MarkedIn(R"({"index_columns": ["__index_level_x__"]})"), IsEmpty());
}

TEST(PandasIndex, AColumnThatIsOnlyCalledSoIsAColumn) {
  EXPECT_THAT(MarkedIn(""), IsEmpty());
  EXPECT_THAT(MarkedIn(R"({"index_columns": ["day"]})"), IsEmpty());
}

}  // namespace
}  // namespace rowfeed
