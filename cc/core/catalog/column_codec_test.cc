// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/column_codec.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/catalog/schema/column.h"
#include "core/catalog/schema/dtypes.h"
#include "core/wire.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

// The number of each dtype in the catalogs that users have saved. A new dtype gets the
// next number, at the end.
constexpr std::array<std::pair<std::string_view, int>, 15> kNumbers = {{
    {"bool", 0},
    {"int8", 1},
    {"int16", 2},
    {"int32", 3},
    {"int64", 4},
    {"uint8", 5},
    {"uint16", 6},
    {"uint32", 7},
    {"uint64", 8},
    {"float16", 9},
    {"float32", 10},
    {"float64", 11},
    {"string", 12},
    {"binary", 13},
    {"bfloat16", 14},
}};

std::string BytesOf(const Column& column) {
  WireWriter out;
  WriteColumn(column, &out);
  return std::move(out).Finish();
}

Column Example() {
  Column column;
  column.name = "x";
  column.path = {"x"};
  column.logical_type = "i";
  column.dtype = DType::kInt64;
  column.ragged_rank = 1;
  column.unit = "us";
  column.storage.physical = ColumnStorage::kInt64;
  column.storage.max_definition_level = 3;
  column.storage.slot_definition_levels = {2};
  return column;
}

// The bytes before the dtype: name, path, logical type, why it cannot be read, origin.
constexpr std::string_view kBeforeDType(
    "\1\0\0\0\0\0\0\0x"
    "\1\0\0\0\0\0\0\0"
    "\1\0\0\0\0\0\0\0x"
    "\1\0\0\0\0\0\0\0i"
    "\0\0\0\0\0\0\0\0"
    "\0",
    44);

TEST(ColumnCodecTest, SavedColumnsHaveTheseBytes) {
  constexpr std::string_view kRest(
      "\4"                  // dtype
      "\1\0\0\0"            // ragged rank
      "\0\0\0\0\0\0\0\0"    // dense shape
      "\0\0\0\0\0\0\0\0"    // list sizes
      "\2\0\0\0\0\0\0\0us"  // unit
      "\2\0\0\0\0\xFF\xFF"  // physical type, its length, decimal scale
      "\3\0\1\2\0",         // definition levels
      43);
  EXPECT_EQ(BytesOf(Example()), std::string(kBeforeDType) + std::string(kRest));
}

TEST(ColumnCodecTest, SavedDTypesHaveTheseNumbers) {
  static_assert(kNumbers.size() == kDTypes.size());
  for (const auto& [name, number] : kNumbers) {
    Column column = Example();
    column.dtype = EnumeratorNamed<DType>(name).value();
    EXPECT_EQ(BytesOf(column)[kBeforeDType.size()], number) << name;
  }
}

}  // namespace
}  // namespace rowfeed
