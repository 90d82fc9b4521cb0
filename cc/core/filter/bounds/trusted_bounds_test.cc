// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what is believed about footers and column indexes with impossible statements.
#include "core/filter/bounds/trusted_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parquet/properties.h"
#include "parquet/size_statistics.h"
#include "parquet/statistics.h"
#include "testing/stated_index.h"

namespace rowfeed {
namespace {

using ::parquet::ConvertedType;
using ::parquet::LogicalType;
using ::parquet::Repetition;
using ::parquet::Type;
using ::parquet::schema::GroupNode;
using ::parquet::schema::NodePtr;
using ::parquet::schema::PrimitiveNode;
using ::rowfeed::testing::StatedIndex;
using ::testing::Optional;

constexpr int64_t kRows = 10;
const char* const kSoundWriter = "parquet-cpp-arrow version 26.0.0";

template <typename T>
std::string Coded(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

NodePtr Integers(int bits = 32, bool is_signed = true,
                 Repetition::type repetition = Repetition::OPTIONAL) {
  constexpr int kWide = 64;
  return PrimitiveNode::Make("x", repetition, LogicalType::Int(bits, is_signed),
                             bits == kWide ? Type::INT64 : Type::INT32);
}

NodePtr Strings() {
  return PrimitiveNode::Make("x", Repetition::OPTIONAL, LogicalType::String(),
                             Type::BYTE_ARRAY);
}

NodePtr Floats() { return PrimitiveNode::Make("x", Repetition::OPTIONAL, Type::FLOAT); }

parquet::EncodedStatistics Stated(const std::string& min, const std::string& max,
                                  int64_t nulls = 0) {
  parquet::EncodedStatistics statistics;
  statistics.set_min(min).set_max(max).set_null_count(nulls);
  return statistics;
}

// Makes a footer of one column and one row group.
std::shared_ptr<parquet::FileMetaData> Footer(
    const NodePtr& column, const parquet::EncodedStatistics& statistics,
    const std::string& created_by = kSoundWriter, int64_t num_values = kRows,
    const std::vector<int64_t>& levels = {},
    std::optional<int64_t> num_bytes = std::nullopt) {
  parquet::SchemaDescriptor schema;
  schema.Init(GroupNode::Make("schema", Repetition::REQUIRED, {column}));
  const auto properties =
      parquet::WriterProperties::Builder().created_by(created_by)->build();
  auto file = parquet::FileMetaDataBuilder::Make(&schema, properties);
  auto* group = file->AppendRowGroup();
  auto* chunk = group->NextColumnChunk();
  chunk->SetStatistics(statistics);
  parquet::SizeStatistics sizes;
  sizes.definition_level_histogram = levels;
  sizes.unencoded_byte_array_data_bytes = num_bytes;
  if (sizes.is_set()) chunk->SetSizeStatistics(sizes);
  chunk->Finish(num_values, /*dictionary_page_offset=*/-1, /*index_page_offset=*/-1,
                /*data_page_offset=*/4, /*compressed_size=*/9, /*uncompressed_size=*/9,
                /*has_dictionary=*/false, /*dictionary_fallback=*/false, {},
                {{parquet::Encoding::PLAIN, 1}});
  group->set_num_rows(kRows);
  group->Finish(/*total_bytes_written=*/9);
  // Parsed again, as only parsing a footer looks at its writer.
  const std::string bytes = file->Finish()->SerializeToString();
  return parquet::FileMetaData::Make(bytes.data(), static_cast<int64_t>(bytes.size()));
}

Bounds OfChunk(const std::shared_ptr<parquet::FileMetaData>& footer) {
  return TrustedBounds(*footer, 0).OfChunk(*footer->RowGroup(0));
}

bool IsUnknown(const Bounds& bounds) {
  return !bounds.min && !bounds.max && !bounds.num_nulls;
}

// An index of three pages of 4, 3 and 3 rows: the values 1 to 3 and a null; only nulls;
// the values 5 to 9.
StatedIndex SoundIndex() {
  StatedIndex index;
  index.nulls = {false, true, false};
  index.mins = {Coded(1), "", Coded(5)};
  index.maxs = {Coded(3), "", Coded(9)};
  index.counts = {1, 3, 0};
  index.levels = {1, 3, 3, 0, 0, 3};
  index.order = parquet::BoundaryOrder::Ascending;
  return index;
}

const std::vector<Interval>& PageRows() {
  static const std::vector<Interval> rows{{0, 4}, {4, 7}, {7, kRows}};
  return rows;
}

auto OfPages(const StatedIndex& index,
             const std::shared_ptr<parquet::FileMetaData>& footer) {
  const TrustedBounds trusted(*footer, 0);
  return trusted.OfPages(index, PageRows(), trusted.OfChunk(*footer->RowGroup(0)));
}

bool IsBelieved(const StatedIndex& index) {
  return OfPages(index, Footer(Integers(), Stated(Coded(1), Coded(9), 4))).has_value();
}

TEST(TrustedBoundsTest, SoundStatisticsOfAChunkAreBelieved) {
  const Bounds bounds =
      OfChunk(Footer(Integers(), Stated(Coded(-3), Coded(7), 2), kSoundWriter, kRows,
                     /*levels=*/{2, 8}));
  EXPECT_THAT(bounds.min, Optional(Coded(-3)));
  EXPECT_THAT(bounds.max, Optional(Coded(7)));
  EXPECT_THAT(bounds.num_nulls, Optional(2));
  EXPECT_EQ(bounds.num_values, kRows);
}

TEST(TrustedBoundsTest, ChunkStatisticsThatContradictThemselvesAreNotBelieved) {
  const auto is_unknown = [](const parquet::EncodedStatistics& stated,
                             const NodePtr& column = Integers()) {
    return IsUnknown(OfChunk(Footer(column, stated)));
  };
  EXPECT_TRUE(is_unknown(Stated(Coded(7), Coded(-3))));     // min > max
  EXPECT_TRUE(is_unknown(Stated(Coded(1), Coded(3), -1)));  // nulls < 0
  EXPECT_TRUE(is_unknown(Stated(Coded(1), Coded(3), 11)));  // more nulls than values
  EXPECT_TRUE(is_unknown(Stated(Coded(1), Coded(3), 10)));  // bounds, but only nulls
  EXPECT_TRUE(is_unknown(Stated("", "")));                  // empty bounds
  // Bounds of different lengths.
  EXPECT_TRUE(is_unknown(Stated(Coded(1), Coded(int64_t{3}))));
  EXPECT_TRUE(is_unknown(Stated(Coded(1), Coded(3), 1),
                         Integers(32, true, Repetition::REQUIRED)));
  EXPECT_TRUE(is_unknown(Stated("b", "a"), Strings()));
  // A chunk of nine values for ten rows, and histograms of levels that count other
  // nulls.
  const auto stated = Stated(Coded(1), Coded(3), 2);
  EXPECT_TRUE(IsUnknown(OfChunk(Footer(Integers(), stated, kSoundWriter, 9))));
  EXPECT_TRUE(
      IsUnknown(OfChunk(Footer(Integers(), stated, kSoundWriter, kRows, {3, 7}))));
}

TEST(TrustedBoundsTest, BoundsOutsideOfTheLogicalTypeAreNotBelieved) {
  const auto is_unknown = [](const NodePtr& column, const std::string& min,
                             const std::string& max) {
    return IsUnknown(OfChunk(Footer(column, Stated(min, max))));
  };
  EXPECT_TRUE(is_unknown(Integers(16), Coded(0), Coded(65535)));
  EXPECT_TRUE(is_unknown(Integers(8), Coded(-129), Coded(0)));
  EXPECT_TRUE(is_unknown(Integers(8, false), Coded(0), Coded(256)));
  EXPECT_TRUE(is_unknown(Integers(16, false), Coded(-1), Coded(3)));
  EXPECT_FALSE(is_unknown(Integers(16), Coded(-32768), Coded(32767)));
  // The bits of -1 are those of the unsigned number 2^32 - 1.
  EXPECT_FALSE(is_unknown(Integers(32, false), Coded(0), Coded(-1)));
  EXPECT_TRUE(is_unknown(Integers(32, false), Coded(-1), Coded(0)));
  EXPECT_FALSE(is_unknown(Integers(64, false), Coded(int64_t{1}), Coded(int64_t{-1})));
  const NodePtr decimals = PrimitiveNode::Make("x", Repetition::OPTIONAL,
                                               LogicalType::Decimal(3, 1), Type::INT32);
  EXPECT_TRUE(is_unknown(decimals, Coded(0), Coded(1000)));
  EXPECT_FALSE(is_unknown(decimals, Coded(-999), Coded(999)));
  const NodePtr flags = PrimitiveNode::Make("x", Repetition::OPTIONAL, Type::BOOLEAN);
  EXPECT_TRUE(is_unknown(flags, std::string(1, '\0'), "\2"));
}

TEST(TrustedBoundsTest, NaNBoundsNothingAndZerosAreEqual) {
  const Bounds nan = OfChunk(Footer(Floats(), Stated(Coded(NAN), Coded(1.0F), 3)));
  EXPECT_FALSE(nan.min);
  EXPECT_THAT(nan.num_nulls, Optional(3));
  EXPECT_TRUE(OfChunk(Footer(Floats(), Stated(Coded(0.0F), Coded(-0.0F)))).min);
}

TEST(TrustedBoundsTest, TypesWithoutAnOrderHaveNoBounds) {
  const auto order_of = [](const NodePtr& node) {
    const parquet::ColumnDescriptor column(node, 1, 0);
    return BoundOrder(column).is_defined();
  };
  EXPECT_TRUE(order_of(Strings()));
  EXPECT_FALSE(order_of(PrimitiveNode::Make(
      "x", Repetition::OPTIONAL, LogicalType::Geometry(), Type::BYTE_ARRAY)));
  EXPECT_FALSE(order_of(PrimitiveNode::Make(
      "x", Repetition::OPTIONAL, LogicalType::Geography(), Type::BYTE_ARRAY)));
  EXPECT_FALSE(
      order_of(PrimitiveNode::Make("x", Repetition::OPTIONAL, LogicalType::Interval(),
                                   Type::FIXED_LEN_BYTE_ARRAY, 12)));
  EXPECT_FALSE(order_of(PrimitiveNode::Make("x", Repetition::OPTIONAL, Type::INT96)));
  const NodePtr undefined = Strings();
  static_cast<PrimitiveNode&>(*undefined)
      .SetColumnOrder(parquet::ColumnOrder::undefined_);
  EXPECT_FALSE(order_of(undefined));
}

TEST(TrustedBoundsTest, AGreatestValueThatMayHaveBeenCutIsAPrefix) {
  auto stated = Stated("a", "mm");
  EXPECT_TRUE(OfChunk(Footer(Strings(), stated)).max_may_be_cut);
  stated.is_max_value_exact = false;
  EXPECT_TRUE(OfChunk(Footer(Strings(), stated)).max_may_be_cut);
  stated.is_max_value_exact = true;
  EXPECT_TRUE(OfChunk(Footer(Strings(), stated)).max_may_be_cut);
  stated.set_min("mm");
  EXPECT_FALSE(OfChunk(Footer(Strings(), stated)).max_may_be_cut);
  EXPECT_FALSE(OfChunk(Footer(Integers(), Stated(Coded(1), Coded(2)))).max_may_be_cut);
}

TEST(TrustedBoundsTest, AChunkOfOneStringHasTheBytesOfThatString) {
  const auto is_believed = [](const std::string& only, int64_t num_bytes,
                              bool is_exact = true) {
    auto stated = Stated(only, only, /*nulls=*/2);
    stated.is_max_value_exact = is_exact;
    return !IsUnknown(
        OfChunk(Footer(Strings(), stated, kSoundWriter, kRows, {}, num_bytes)));
  };
  EXPECT_TRUE(is_believed("", 0));
  EXPECT_FALSE(is_believed("", 1));
  EXPECT_TRUE(is_believed("abc", 24));
  for (const int64_t other : {0, 23, 25, 21, 27, 30}) {
    EXPECT_FALSE(is_believed("abc", other)) << other;
  }
  EXPECT_TRUE(is_believed("abc", 80, /*is_exact=*/false));  // may be a beginning
  // Two strings of any length may lie between.
  auto stated = Stated("", "b");
  stated.is_max_value_exact = true;
  EXPECT_FALSE(
      IsUnknown(OfChunk(Footer(Strings(), stated, kSoundWriter, kRows, {}, 80))));
  // The number of nulls is not known.
  stated = Stated("abc", "abc");
  stated.is_max_value_exact = true;
  stated.has_null_count = false;
  for (const auto& [num_bytes, is_unknown] : {std::pair{27, false}, {33, true}}) {
    const auto footer = Footer(Strings(), stated, kSoundWriter, kRows, {}, num_bytes);
    EXPECT_EQ(IsUnknown(OfChunk(footer)), is_unknown) << num_bytes;
  }
}

TEST(TrustedBoundsTest, WritersWithKnownFaultsAreNotBelieved) {
  const auto strings = Stated("a", "z", 1);
  const auto numbers = Stated(Coded(1), Coded(9), 1);
  // Without ARROW:schema, the column may have been a dictionary.
  EXPECT_TRUE(IsUnknown(
      OfChunk(Footer(Strings(), strings, "parquet-cpp-arrow version 10.0.1"))));
  EXPECT_TRUE(
      OfChunk(Footer(Strings(), strings, "parquet-cpp-arrow version 11.0.0")).min);
  EXPECT_TRUE(
      OfChunk(Footer(Integers(), numbers, "parquet-cpp-arrow version 10.0.1")).min);
  EXPECT_TRUE(IsUnknown(OfChunk(
      Footer(Integers(), numbers, "Arrow2 - Native Rust implementation of Arrow"))));
  const Bounds polars = OfChunk(Footer(Integers(), numbers, "Polars"));
  EXPECT_TRUE(polars.min);
  EXPECT_FALSE(polars.num_nulls);
  EXPECT_FALSE(OfChunk(Footer(Integers(32, false), numbers, "Polars")).min);
  EXPECT_FALSE(OfChunk(Footer(Strings(), strings, "parquet-rs version 5.1.0")).min);
  EXPECT_TRUE(OfChunk(Footer(Strings(), strings, "parquet-rs version 5.2.0")).min);
  const auto old = Footer(Integers(), numbers, "parquet-mr version 1.8.1 (build 4ab)");
  EXPECT_FALSE(OfChunk(old).num_nulls);
  EXPECT_TRUE(OfChunk(old).min);
  const auto go = Footer(Integers(), numbers, "parquet-go version 18.4.0");
  EXPECT_FALSE(TrustedBounds(*go, 0).has_trusted_blooms());
  EXPECT_TRUE(TrustedBounds(*Footer(Integers(), numbers), 0).has_trusted_blooms());
}

TEST(TrustedBoundsTest, ASoundColumnIndexIsBelieved) {
  const auto pages =
      OfPages(SoundIndex(), Footer(Integers(), Stated(Coded(1), Coded(9), 4)));
  ASSERT_TRUE(pages.has_value());
  ASSERT_EQ(pages->size(), 3U);
  EXPECT_THAT((*pages)[0].max, Optional(Coded(3)));
  EXPECT_THAT((*pages)[1].num_nulls, Optional(3));
  EXPECT_FALSE((*pages)[1].min);
  EXPECT_THAT((*pages)[2].num_nulls, Optional(0));
}

struct Lie {
  std::string name;
  void (*tell)(StatedIndex*);
};

TEST(TrustedBoundsTest, AColumnIndexThatContradictsAnythingIsNotBelieved) {
  const std::vector<Lie> lies{
      {"all null pages", [](StatedIndex* i) { i->nulls = {true, true, true}; }},
      {"no null pages", [](StatedIndex* i) { i->nulls = {false, false, false}; }},
      {"a null page without nulls", [](StatedIndex* i) { i->counts[1] = 0; }},
      {"negative counts", [](StatedIndex* i) { i->counts = {-1, -1, -1}; }},
      {"more nulls than rows", [](StatedIndex* i) { i->counts[0] = 5; }},
      {"another sum of nulls",
       [](StatedIndex* i) {
         i->counts[0] = 2;
         i->levels.clear();
       }},
      {"levels that count other nulls", [](StatedIndex* i) { i->levels[0] = 2; }},
      {"too few levels", [](StatedIndex* i) { i->levels.pop_back(); }},
      {"min above max", [](StatedIndex* i) { std::swap(i->mins[0], i->maxs[0]); }},
      {"bounds of no length", [](StatedIndex* i) { i->mins[0] = i->maxs[0] = ""; }},
      {"another order",
       [](StatedIndex* i) { i->order = parquet::BoundaryOrder::Descending; }},
      {"a page beyond the chunk", [](StatedIndex* i) { i->maxs[2] = Coded(10); }},
      {"no page as low as the chunk", [](StatedIndex* i) { i->mins[0] = Coded(2); }},
      {"no page as high as the chunk", [](StatedIndex* i) { i->maxs[2] = Coded(8); }},
      {"fewer pages", [](StatedIndex* i) { i->mins.pop_back(); }},
      {"fewer counts", [](StatedIndex* i) { i->counts.pop_back(); }},
  };
  EXPECT_TRUE(IsBelieved(SoundIndex()));
  for (const Lie& lie : lies) {
    StatedIndex index = SoundIndex();
    lie.tell(&index);
    EXPECT_FALSE(IsBelieved(index)) << lie.name;
  }
}

TEST(TrustedBoundsTest, TheColumnIndexOfFaultyWritersIsNotBelieved) {
  const auto stated = Stated(Coded(1), Coded(9), 4);
  for (const char* writer : {"Polars", "parquet-rs version 5.1.0",
                             "Arrow2 - Native Rust implementation of Arrow"}) {
    EXPECT_FALSE(OfPages(SoundIndex(), Footer(Integers(), stated, writer))) << writer;
  }
  // Arrow itself ignores the statistics of unsigned numbers of this writer.
  EXPECT_FALSE(OfPages(
      SoundIndex(), Footer(Integers(32, false), stated, "parquet-cpp version 1.2.0")));
}

TEST(TrustedBoundsTest, CutBoundsOfPagesAreNoContradiction) {
  StatedIndex index = SoundIndex();
  index.mins = {"ab", "", "b"};
  index.maxs = {"az", "", "yyy"};
  auto stated = Stated("abc", "yyyy", 4);
  stated.is_max_value_exact = true;
  const auto pages = OfPages(index, Footer(Strings(), stated));
  ASSERT_TRUE(pages.has_value());
  EXPECT_TRUE((*pages)[2].max_may_be_cut);
  stated = Stated("abc", "z", 4);
  stated.is_max_value_exact = true;
  EXPECT_FALSE(OfPages(index, Footer(Strings(), stated)));
}

TEST(TrustedBoundsTest, PagesThatDoNotFollowEachOtherHaveNoRows) {
  const auto rows = [](const std::vector<int64_t>& first_rows) {
    std::vector<parquet::PageLocation> pages;
    for (const int64_t row : first_rows) pages.push_back({0, 0, row});
    return RowsOfPages(pages, kRows);
  };
  EXPECT_TRUE(rows({0, 4, 7}));
  EXPECT_FALSE(rows({}));
  EXPECT_FALSE(rows({1, 4}));
  EXPECT_FALSE(rows({0, 4, 4}));
  EXPECT_FALSE(rows({0, 10}));
}

}  // namespace
}  // namespace rowfeed
