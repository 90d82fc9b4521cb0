// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/catalog/schema/dtypes.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

TEST(PartitionTest, ValuesComeFromTheNamesOfDirectories) {
  EXPECT_EQ(PartitionValue("year=2024/city=Oslo/x.parquet", "city"), "Oslo");
  EXPECT_EQ(PartitionValue("city=S%C3%A3o%20Paulo/x", "city"), "S\xC3\xA3o Paulo");
  EXPECT_EQ(PartitionValue("a%3Db=c=d/x", "a=b"), "c=d");
  EXPECT_EQ(PartitionValue("k=100%/x", "k"), "100%");
  EXPECT_EQ(PartitionValue("k=/x", "k"), "");
  EXPECT_EQ(PartitionValue("k=__HIVE_DEFAULT_PARTITION__/x", "k"), std::nullopt);
  EXPECT_EQ(PartitionValue("plain/x=y.parquet", "x"), std::nullopt);
}

TEST(PartitionTest, ColumnsAreNumbersIfAllOfTheirValuesAre) {
  const std::vector<Column> columns =
      PartitionColumns({"year=2024/zip=0150/n=-1/x", "year=2025/zip=a/x", "=3/x", "x"});
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].name, "year");
  EXPECT_EQ(columns[0].dtype, DType::kInt64);
  EXPECT_EQ(columns[1].name, "zip");
  EXPECT_EQ(columns[1].dtype, DType::kString);
  EXPECT_EQ(columns[2].name, "n");
  for (const Column& column : columns) {
    EXPECT_TRUE(column.is_partition);
    EXPECT_TRUE(IsConsistent(column, column.storage));
  }
}

TEST(PartitionTest, AGuessLosesNoText) {
  for (const char* value : {"01", "+1", "1e3", "-0", "", " 1", "9223372036854775808"}) {
    const std::string partitions = std::string("k=").append(value).append("/");
    EXPECT_EQ(PartitionColumns({partitions})[0].dtype, DType::kString) << value;
  }
  for (const char* value : {"0", "-1", "9223372036854775807", "-9223372036854775808"}) {
    const std::string partitions = std::string("k=").append(value).append("/");
    EXPECT_EQ(PartitionColumns({partitions})[0].dtype, DType::kInt64) << value;
  }
}

TEST(PartitionTest, AGivenTypeReadsWhatIsMeant) {
  const auto is = [](DType dtype, const std::string& value) {
    const Column column = PartitionColumn("k", {dtype, true});
    EXPECT_TRUE(IsConsistent(column, column.storage));
    return PartitionFits(column, "k=" + value + "/").ok();
  };
  for (const char* value : {"01", "+1", "-0", "7"})
    EXPECT_TRUE(is(DType::kInt64, value));
  for (const char* value : {"", "1.5", "x", "+-1", "1 "}) {
    EXPECT_FALSE(is(DType::kInt64, value)) << value;
    EXPECT_TRUE(is(DType::kString, value)) << value;
  }
  EXPECT_TRUE(is(DType::kUInt64, "18446744073709551615"));
  EXPECT_FALSE(is(DType::kUInt64, "-1"));
  for (const char* value : {"1e3", "-.5", "inf", "2"}) {
    EXPECT_TRUE(is(DType::kFloat64, value)) << value;
  }
  EXPECT_TRUE(is(DType::kBool, "True"));
  EXPECT_FALSE(is(DType::kBool, "yes"));
  EXPECT_TRUE(is(DType::kBool, "__HIVE_DEFAULT_PARTITION__"));
}

TEST(PartitionTest, AValueBeyondTheDtypeThatTheUserAsksForDoesNotFit) {
  const auto is = [](DType asked, const std::string& value) {
    const Column column = PartitionColumn("k", {PartitionDType(asked), true});
    return PartitionFits(column, "k=" + value + "/", asked);
  };
  const std::tuple<DType, const char*, const char*> ends[] = {
      {DType::kInt8, "127", "128"},
      {DType::kInt16, "-32768", "-32769"},
      {DType::kInt32, "2147483647", "2147483648"},
      {DType::kUInt8, "255", "256"},
      {DType::kUInt16, "0", "-1"},
      {DType::kUInt32, "4294967295", "4294967296"},
      {DType::kInt64, "9223372036854775807", "9223372036854775808"},
  };
  for (const auto& [asked, last, beyond] : ends) {
    EXPECT_TRUE(is(asked, last).ok()) << last;
    EXPECT_THAT(is(asked, beyond),
                StatusIs(StatusCode::kInvalid,
                         "'" + std::string(beyond) + "' of the directories k=" +
                             beyond + " is no " + DTypeName(asked) + ", which"));
  }
}

TEST(PartitionTest, AColumnWithoutNullsHasThemWhenAFileWithoutTheKeyJoins) {
  EXPECT_EQ(PartitionColumns({"k=1/x", "k=2/y"})[0].storage.max_definition_level, 1);
}

TEST(PartitionTest, AKeyThatIsNotUtf8MakesNoColumn) {
  const std::vector<Column> columns =
      PartitionColumns({"\xFF=1/%ff=1/\xED\xA0\x80=1/\xC3\xA4=1/x"});
  ASSERT_EQ(columns.size(), 1U);
  EXPECT_EQ(columns[0].name, "\xC3\xA4");
  EXPECT_EQ(PartitionValue("%ff=1/x", "\xFF"), std::nullopt);
}

TEST(PartitionTest, PlainValuesAreAsInAFile) {
  const std::vector<Column> columns = PartitionColumns({"n=258/s=x/x"});
  EXPECT_EQ(ConstantOf(columns[0], "n=258/x").plain_value,
            std::string("\2\1\0\0\0\0\0\0", 8));
  EXPECT_EQ(ConstantOf(columns[1], "s=x/x").plain_value, "x");
  EXPECT_EQ(ConstantOf(columns[1], "x").plain_value, std::nullopt);
}

}  // namespace
}  // namespace rowfeed
