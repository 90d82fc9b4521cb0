// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"
#include "core/catalog/catalog.h"
#include "core/catalog/catalog_builder.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;

constexpr size_t kHeaderBytes = 16;

Column Int64Column(const std::string& name) {
  Column column;
  column.name = name;
  column.path = {name};
  column.logical_type = "int64";
  column.dtype = DType::kInt64;
  column.storage.physical = ColumnStorage::kInt64;
  column.storage.max_definition_level = 1;
  return column;
}

Column RaggedColumn(const std::string& name) {
  Column column = Int64Column(name);
  column.ragged_rank = 1;
  column.unit = "us";
  column.storage.max_definition_level = 3;
  column.storage.slot_definition_levels = {2};
  return column;
}

// Two files of 2 and 1 row groups; the second stores x without nulls.
std::shared_ptr<const Catalog> Example(
    const std::function<void(std::vector<Column>*)>& change = nullptr,
    int64_t num_list_values = 12, const std::vector<Difference>& differences = {}) {
  Column unsupported;
  unsupported.name = "s";
  unsupported.logical_type = "struct<a: int32>";
  unsupported.unsupported = "structs are not supported";
  std::vector<Column> columns = {Int64Column("x"), RaggedColumn("l\n\xFF"),
                                 unsupported};
  FileLayout first;
  for (const Column& column : columns) first.storage.push_back(column.storage);
  FileLayout second = first;
  second.storage[0].max_definition_level = 0;
  second.differences = differences;
  for (const Difference& difference : differences) {
    ColumnStorage& storage = second.storage[difference.column];
    storage =
        difference.is_null() ? NullStorage(storage) : difference.as_stored.storage;
  }
  if (change) change(&columns);
  CatalogBuilder builder(columns);
  builder.AddFile(
      {"/d/a.parquet", "a.parquet", "k=1/", 1000, -7, "\"e1\"", 0xFEDCBA9876543210},
      first, {10, 0},
      {{4, 100, 10, 1, 0},
       {104, 200, num_list_values, 2, 6},
       {},
       {304, 0, 0, 0, 0},
       {304, 0, 0, 0, 0},
       {}});
  builder.AddFile(
      {"/d/b.parquet", "b.parquet", "", int64_t{1} << 40, 1, "", 1}, second, {1 << 30},
      {{4, int64_t{1} << 39, 1 << 30, 0xFFFFFFFF, 1}, {4, 1, 1 << 30, 7, 7}, {}});
  return std::move(builder).Finish();
}

// Puts a valid header, checksum included, in front of a payload.
std::string Sealed(const std::string& bytes) {
  const std::string payload = bytes.substr(kHeaderBytes);
  const uint64_t checksum = XXH3_64bits(payload.data(), payload.size());
  std::string sealed = bytes.substr(0, 8);
  sealed.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  return sealed + payload;
}

TEST(CatalogCodecTest, RoundTrip) {
  const auto catalog = Example();
  const std::string bytes = catalog->Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed, Catalog::Parse(bytes));
  EXPECT_EQ(parsed->Serialize(), bytes);
  EXPECT_EQ(parsed->fingerprint(), catalog->fingerprint());
  EXPECT_EQ(parsed->num_rows(), (1 << 30) + 10);
  EXPECT_THAT(*parsed->group_rows(), ::testing::ElementsAre(10, 0, 1 << 30));
  ASSERT_EQ(parsed->files().size(), 2u);
  EXPECT_EQ(parsed->files()[0].path, "/d/a.parquet");
  EXPECT_EQ(parsed->files()[0].name, "a.parquet");
  EXPECT_EQ(parsed->files()[0].partitions, "k=1/");
  EXPECT_EQ(parsed->files()[0].mtime_ns, -7);
  EXPECT_EQ(parsed->files()[0].etag, "\"e1\"");
  EXPECT_EQ(parsed->files()[0].footer_digest, 0xFEDCBA9876543210);
  EXPECT_EQ(parsed->row_groups()[1].index, 1);
  EXPECT_EQ(parsed->row_groups()[2].file, 1);
  EXPECT_EQ(parsed->columns()[1].name, "l\n\xFF");
  EXPECT_EQ(parsed->columns()[1].unit, "us");
  EXPECT_EQ(parsed->columns()[2].unsupported, "structs are not supported");
  EXPECT_EQ(parsed->storage(0, 0).max_definition_level, 1);
  EXPECT_EQ(parsed->storage(2, 0).max_definition_level, 0);
  EXPECT_EQ(parsed->storage(2, 1).slot_definition_level(), 2);
  EXPECT_EQ(parsed->chunk(0, 1).size, 200);
  EXPECT_EQ(parsed->chunk(2, 0).size, int64_t{1} << 39);
  EXPECT_EQ(parsed->chunk(2, 0).uncompressed_kib, 0xFFFFFFFF);
  EXPECT_EQ(parsed->chunk(2, 1).codec, 7);
}

// A catalog of two files. In the second one, x has another type and the list is
// missing.
std::shared_ptr<const Catalog> DifferentExample() {
  Column other = Int64Column("x");
  other.logical_type = "int32";
  other.dtype = DType::kInt32;
  other.storage.physical = ColumnStorage::kInt32;
  return Example(
      nullptr, 12,
      {{0, Difference::Kind::kOther, other}, {1, Difference::Kind::kMissing, {}}});
}

TEST(CatalogCodecTest, FilesThatDifferRoundTrip) {
  const auto catalog = DifferentExample();
  const std::string bytes = catalog->Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed, Catalog::Parse(bytes));
  EXPECT_EQ(parsed->Serialize(), bytes);
  EXPECT_EQ(parsed->fingerprint(), Example()->fingerprint());
  EXPECT_EQ(parsed->layouts(), catalog->layouts());
  EXPECT_EQ(parsed->layout(1).Find(0)->as_stored.dtype, DType::kInt32);
  EXPECT_TRUE(parsed->layout(1).Find(1)->is_null());
  EXPECT_EQ(parsed->layout(0).Find(1), nullptr);
}

TEST(CatalogCodecTest, WithoutDifferencesTheFormatIsThatOfBefore) {
  EXPECT_EQ(Example()->Serialize()[6], 6);
  EXPECT_EQ(DifferentExample()->Serialize()[6], 7);
}

// A catalog of one file with nulls of x in the second of two row groups.
std::shared_ptr<const Catalog> NullExample() {
  FileLayout layout;
  const std::vector<Column> columns = {Int64Column("x"), Int64Column("y")};
  for (const Column& column : columns) layout.storage.push_back(column.storage);
  CatalogBuilder builder(columns);
  const ColumnChunk chunk{4, 100, 10, 1, 0};
  ColumnChunk with_nulls = chunk;
  with_nulls.has_nulls = true;
  builder.AddFile({"/d/a.parquet", "a.parquet", "", 1000, 1, "", 1}, layout, {10, 10},
                  {chunk, chunk, with_nulls, chunk});
  return std::move(builder).Finish();
}

TEST(CatalogCodecTest, KnownNullsRoundTrip) {
  const auto catalog = NullExample();
  const std::string bytes = catalog->Serialize();
  EXPECT_EQ(bytes[6], 8);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed, Catalog::Parse(bytes));
  EXPECT_EQ(parsed->Serialize(), bytes);
  const std::vector<NullGroups> groups = parsed->null_groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].count, 1);
  EXPECT_EQ(groups[0].first, 1);
  EXPECT_EQ(groups[1].count, 0);
  EXPECT_EQ(groups[1].first, -1);
}

TEST(CatalogCodecTest, SelectedRowGroupsRoundTrip) {
  const auto catalog = NullExample();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto second, Catalog::Select(catalog, {1}));
  const std::string bytes = second->Serialize();
  EXPECT_EQ(bytes[6], 9);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed, Catalog::Parse(bytes));
  EXPECT_EQ(parsed->Serialize(), bytes);
  EXPECT_EQ(parsed->fingerprint(), second->fingerprint());
  ASSERT_EQ(parsed->row_groups().size(), 1u);
  EXPECT_EQ(parsed->row_groups()[0].index, 1);
  EXPECT_TRUE(parsed->chunk(0, 0).has_nulls);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto first, Catalog::Select(catalog, {0}));
  EXPECT_TRUE(first->is_selection());
  EXPECT_EQ(first->Serialize()[6], 9);
  EXPECT_NE(first->fingerprint(), second->fingerprint());
  EXPECT_NE(first->fingerprint(), catalog->fingerprint());
}

TEST(CatalogCodecTest, ASelectionHasTheFilesOfItsRowGroups) {
  const auto catalog = Example();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto all, Catalog::Select(catalog, {2, 0, 1, 2}));
  EXPECT_EQ(all, catalog);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto last, Catalog::Select(catalog, {2}));
  ASSERT_EQ(last->files().size(), 1u);
  EXPECT_EQ(last->files()[0].name, "b.parquet");
  EXPECT_EQ(last->num_rows(), 1 << 30);
  EXPECT_EQ(last->chunk(0, 0).size, int64_t{1} << 39);
  EXPECT_EQ(last->storage(0, 0).max_definition_level, 0);
  EXPECT_THAT(Catalog::Select(catalog, {}),
              StatusIs(StatusCode::kInvalid, "no row group"));
  EXPECT_THAT(Catalog::Select(catalog, {0, 3}),
              StatusIs(StatusCode::kInvalid, "row group 3"));
  EXPECT_THAT(Catalog::Select(catalog, {-1}),
              StatusIs(StatusCode::kInvalid, "row group -1"));
}

TEST(CatalogCodecTest, NumbersOfSelectedRowGroupsMustAscend) {
  const auto catalog = Example();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto some, Catalog::Select(catalog, {1, 2}));
  std::string bytes = some->Serialize();
  // The first int32 that is 1 and is followed by a row group of 0 rows is its number.
  const std::string number("\1\0\0\0\0\0\0\0\0\0\0\0", 12);
  const size_t place = bytes.find(number, kHeaderBytes);
  ASSERT_NE(place, std::string::npos);
  bytes[place + 3] = '\x80';
  EXPECT_THAT(Catalog::Parse(Sealed(bytes)),
              StatusIs(StatusCode::kInvalid, "contradicts itself"));
}

TEST(CatalogCodecTest, OlderVersionsHaveNoBitForNulls) {
  std::string bytes = NullExample()->Serialize();
  bytes[6] = 7;
  EXPECT_THAT(Catalog::Parse(Sealed(bytes)),
              StatusIs(StatusCode::kInvalid, "contradicts itself"));
}

TEST(CatalogCodecTest, DamagedDifferencesAreRefusedOrHarmless) {
  const std::string bytes = DifferentExample()->Serialize();
  for (size_t i = kHeaderBytes; i < bytes.size(); ++i) {
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      const auto parsed = Catalog::Parse(Sealed(damaged));
      if (parsed.ok()) (*parsed)->Serialize();
    }
  }
}

TEST(CatalogCodecTest, EveryTruncationAndDamagedByteIsRefused) {
  const std::string bytes = Example()->Serialize();
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_THAT(Catalog::Parse(bytes.substr(0, i)),
                StatusIs(StatusCode::kInvalid, "catalog"));
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    EXPECT_THAT(Catalog::Parse(damaged), StatusIs(StatusCode::kInvalid, "catalog"));
  }
  EXPECT_THAT(Catalog::Parse(bytes + "x"), StatusIs(StatusCode::kInvalid, "damaged"));
}

TEST(CatalogCodecTest, DamageUnderAGoodChecksumIsRefusedOrHarmless) {
  const std::string bytes = Example()->Serialize();
  int refused = 0;
  for (size_t i = kHeaderBytes; i < bytes.size(); ++i) {
    EXPECT_THAT(Catalog::Parse(Sealed(bytes.substr(0, i))),
                StatusIs(StatusCode::kInvalid, "contradicts itself"));
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(value);
      const auto parsed = Catalog::Parse(Sealed(damaged));
      refused += parsed.ok() ? 0 : 1;
      if (!parsed.ok()) continue;
      for (size_t c = 0; c < (*parsed)->columns().size(); ++c) {
        for (size_t g = 0; g < (*parsed)->row_groups().size(); ++g) {
          const ColumnChunk& chunk = (*parsed)->chunk(g, c);
          const int64_t size = (*parsed)->files()[(*parsed)->row_groups()[g].file].size;
          EXPECT_GE(chunk.offset, 0);
          EXPECT_LE(chunk.size, size - chunk.offset);
          EXPECT_TRUE(IsConsistent((*parsed)->columns()[c], (*parsed)->storage(g, c)));
        }
      }
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(CatalogCodecTest, RefusesAnotherVersion) {
  std::string bytes = Example()->Serialize();
  bytes[6] = 99;
  EXPECT_THAT(Catalog::Parse(bytes),
              StatusIs(StatusCode::kInvalid, "a catalog of version 99"));
  EXPECT_THAT(Catalog::Parse("PAR1"),
              StatusIs(StatusCode::kInvalid, "not a rowfeed catalog"));
}

TEST(CatalogCodecTest, RefusesTypesThatNoFileHas) {
  std::vector<std::function<void(Column*)>> lies = {
      [](Column* c) { c->dtype = DType::kInt32; },
      [](Column* c) { c->dense_shape = {2}; },
      [](Column* c) { c->list_sizes = {2}; },
      [](Column* c) { c->ragged_rank = 1; },
      [](Column* c) { c->ragged_rank = -1; },
      [](Column* c) { c->storage.physical = ColumnStorage::kInt96; },
      [](Column* c) { c->storage.type_length = 8; },
      [](Column* c) { c->storage.max_definition_level = -1; },
      [](Column* c) { c->storage.max_definition_level = 500; },
      [](Column* c) { c->storage.slot_definition_levels = {1}; },
  };
  // A mask has one byte per value: the shape without its last dimension.
  const auto fixed_binary = [](Column* c) {
    c->dtype = DType::kUInt8;
    c->ragged_rank = 0;
    c->dense_shape = {2, 18};
    c->list_sizes = {4};
    c->storage = {.physical = ColumnStorage::kFixedLenByteArray,
                  .type_length = 9,
                  .max_definition_level = 2,
                  .slot_definition_levels = {1}};
  };
  lies.push_back(fixed_binary);
  for (const auto& lie : lies) {
    const auto catalog =
        Example([&](std::vector<Column>* columns) { lie(&columns->at(0)); });
    EXPECT_THAT(Catalog::Parse(catalog->Serialize()),
                StatusIs(StatusCode::kInvalid, "contradicts itself"));
  }
}

TEST(CatalogCodecTest, RefusesMoreValuesThanAFooterMayClaim) {
  const auto parsed = [](int64_t num_values) {
    return Catalog::Parse(Example(nullptr, num_values)->Serialize());
  };
  ROWFEED_EXPECT_OK(parsed(int64_t{1} << 48));
  EXPECT_THAT(parsed((int64_t{1} << 48) + 1),
              StatusIs(StatusCode::kInvalid, "contradicts itself"));
}

}  // namespace
}  // namespace rowfeed
