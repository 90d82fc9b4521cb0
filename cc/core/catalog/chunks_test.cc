// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/chunks.h"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "parquet/metadata.h"
#include "parquet/properties.h"
#include "parquet/schema.h"
#include "parquet/statistics.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;

constexpr int64_t kFileSize = 10'000;

// What a footer states about a file with one row group and one column.
struct Claims {
  int64_t rows = 10;
  int64_t num_values = 10;
  int64_t dictionary_offset = 0;
  int64_t data_offset = 4;
  int64_t size = 100;
  int64_t uncompressed_size = 3000;
  std::string file_path = {};
  std::string created_by = "test";
  parquet::Compression::type codec = parquet::Compression::SNAPPY;
  parquet::Repetition::type repetition = parquet::Repetition::REQUIRED;
  std::optional<int64_t> null_count = std::nullopt;
  std::map<parquet::Encoding::type, int32_t> encodings = {};  // encodings of data pages
};

std::shared_ptr<parquet::FileMetaData> FooterWith(const Claims& claims) {
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(claims.codec)
                              ->created_by(claims.created_by)
                              ->build();
  parquet::SchemaDescriptor schema;
  schema.Init(parquet::schema::GroupNode::Make(
      "schema", parquet::Repetition::REQUIRED,
      {parquet::schema::PrimitiveNode::Make("c", claims.repetition,
                                            parquet::Type::INT64)}));
  const auto file = parquet::FileMetaDataBuilder::Make(&schema, properties);
  parquet::RowGroupMetaDataBuilder* group = file->AppendRowGroup();
  parquet::ColumnChunkMetaDataBuilder* chunk = group->NextColumnChunk();
  if (claims.null_count) {
    parquet::EncodedStatistics statistics;
    statistics.set_null_count(*claims.null_count);
    chunk->SetStatistics(statistics);
  }
  chunk->Finish(claims.num_values, claims.dictionary_offset, 0, claims.data_offset,
                claims.size, claims.uncompressed_size, claims.dictionary_offset > 0,
                false, {}, claims.encodings);
  chunk->set_file_path(claims.file_path);
  group->set_num_rows(claims.rows);
  group->Finish(claims.size);
  // Parsed again, as a reader sees it: only parsing looks at created_by.
  const std::string bytes = file->Finish()->SerializeToString();
  return parquet::FileMetaData::Make(bytes.data(), static_cast<int64_t>(bytes.size()));
}

Result<FileChunks> Read(const Claims& claims) {
  const auto footer = FooterWith(claims);
  const auto schema = ReadSchema(*footer);
  CatalogFile file;
  file.path = "f.parquet";
  file.size = kFileSize;
  ROWFEED_ASSIGN_OR_RETURN(FileChunks chunks, ReadChunks(*footer, file, *schema));
  for (const ColumnProblem& problem : chunks.problems) return problem.Error("c");
  return chunks;
}

TEST(ChunksTest, ReadsWhatTheFooterSays) {
  ROWFEED_ASSERT_OK_AND_ASSIGN(const FileChunks file, Read({}));
  EXPECT_THAT(file.group_rows, ::testing::ElementsAre(10));
  ASSERT_EQ(file.chunks.size(), 1u);
  EXPECT_EQ(file.chunks[0].offset, 4);
  EXPECT_EQ(file.chunks[0].size, 100);
  EXPECT_EQ(file.chunks[0].num_values, 10);
  EXPECT_EQ(file.chunks[0].uncompressed_kib, 3);
  EXPECT_EQ(file.chunks[0].codec, 1);
}

TEST(ChunksTest, StartsAtTheDictionaryPage) {
  EXPECT_EQ(Read({.dictionary_offset = 50, .data_offset = 90})->chunks[0].offset, 50);
  EXPECT_EQ(Read({.dictionary_offset = 90, .data_offset = 50})->chunks[0].offset, 50);
}

TEST(ChunksTest, NumbersCodecsAsTheFormatDoes) {
  using parquet::Compression;
  const auto codec = [](Compression::type type) {
    return Read({.codec = type})->chunks[0].codec;
  };
  EXPECT_EQ(codec(Compression::UNCOMPRESSED), 0);
  EXPECT_EQ(codec(Compression::GZIP), 2);
  EXPECT_EQ(codec(Compression::BROTLI), 4);
  EXPECT_EQ(codec(Compression::LZ4_HADOOP), 5);
  EXPECT_EQ(codec(Compression::ZSTD), 6);
  EXPECT_EQ(codec(Compression::LZ4), 7);
  EXPECT_THAT(Read({.codec = Compression::LZO}),
              StatusIs(StatusCode::kUnsupported, "column 'c': its compression codec"));
}

// This test shows fault 10 of docs/reliability.md.
TEST(ChunksTest, PlainValuesNeedTheirBytes) {
  using parquet::Encoding;
  Claims claims{.uncompressed_size = 79, .encodings = {{Encoding::PLAIN, 1}}};
  EXPECT_THAT(Read(claims),
              StatusIs(StatusCode::kCorrupt,
                       "f.parquet, row group 0, column 'c': the footer claims 10 "
                       "values of at least 8 bytes in 79 uncompressed bytes"));
  claims.encodings = {{Encoding::BYTE_STREAM_SPLIT, 1}};
  EXPECT_THAT(Read(claims), StatusIs(StatusCode::kCorrupt, "values of at least 8"));
  claims.uncompressed_size = 80;
  EXPECT_TRUE(Read(claims).ok());
}

TEST(ChunksTest, AFalseUncompressedSizeMadeRoomForValuesThatTheFileHasNot) {
  using parquet::Encoding;
  const int64_t most = std::numeric_limits<int32_t>::max();
  Claims claims{.rows = most,
                .num_values = most,
                .size = 100,
                .uncompressed_size = 8 * most,
                .codec = parquet::Compression::UNCOMPRESSED,
                .encodings = {{Encoding::PLAIN, 1}}};
  EXPECT_THAT(Read(claims), StatusIs(StatusCode::kCorrupt,
                                     "of at least 8 bytes in 100 uncompressed"));
  // Some writers leave this size out.
  claims = {.size = 80, .uncompressed_size = 0, .encodings = {{Encoding::PLAIN, 1}}};
  claims.codec = parquet::Compression::UNCOMPRESSED;
  EXPECT_TRUE(Read(claims).ok());
}

TEST(ChunksTest, RunsDictionariesAndNullsHaveAnyNumberOfValues) {
  using parquet::Encoding;
  const int64_t most = std::numeric_limits<int32_t>::max();
  Claims claims{.rows = most, .num_values = most, .uncompressed_size = 20};
  EXPECT_TRUE(Read(claims).ok());  // The footer names no encodings.
  claims.encodings = {{Encoding::RLE_DICTIONARY, 1}, {Encoding::PLAIN, 1}};
  EXPECT_TRUE(Read(claims).ok());
  claims.encodings = {{Encoding::DELTA_BINARY_PACKED, 1}};
  EXPECT_TRUE(Read(claims).ok());
  claims.encodings = {{Encoding::PLAIN, 1}};
  claims.repetition = parquet::Repetition::OPTIONAL;
  EXPECT_TRUE(Read(claims).ok());
}

TEST(ChunksTest, RefusesBytesOutsideOfTheFile) {
  for (const Claims& claims :
       {Claims{.data_offset = -1}, Claims{.data_offset = kFileSize - 99},
        Claims{.size = -1}, Claims{.size = kFileSize}, Claims{.size = INT64_MAX},
        Claims{.data_offset = INT64_MAX},
        Claims{.data_offset = INT64_MAX, .size = INT64_MAX},
        Claims{.data_offset = INT64_MIN}, Claims{.uncompressed_size = -1}}) {
    EXPECT_THAT(Read(claims),
                StatusIs(StatusCode::kCorrupt, "f.parquet, row group 0, column 'c': "));
  }
  ROWFEED_EXPECT_OK(Read({.data_offset = kFileSize - 100}));
}

TEST(ChunksTest, CountsMustAgree) {
  EXPECT_THAT(Read({.num_values = 9}),
              StatusIs(StatusCode::kCorrupt,
                       "column 'c': the footer claims 9 values for 10 rows"));
  EXPECT_THAT(Read({.num_values = 11}), StatusIs(StatusCode::kCorrupt, "11 values"));
  const auto repeated = parquet::Repetition::REPEATED;
  ROWFEED_EXPECT_OK(Read({.num_values = 11, .repetition = repeated}));
  EXPECT_THAT(Read({.num_values = 9, .repetition = repeated}),
              StatusIs(StatusCode::kCorrupt, "9 values"));
  EXPECT_THAT(
      Read({.num_values = int64_t{0x28} << 56, .repetition = repeated}),
      StatusIs(StatusCode::kCorrupt, "claims 2882303761517117440 values for 10 rows"));
  EXPECT_THAT(
      Read({.rows = -1}),
      StatusIs(StatusCode::kCorrupt, "f.parquet, row group 0: the footer claims -1"));
  const int64_t many = int64_t{1} << 31;
  EXPECT_THAT(Read({.rows = many, .num_values = many}),
              StatusIs(StatusCode::kUnsupported, "2147483648 rows in one row group"));
  ROWFEED_EXPECT_OK(Read({.rows = many - 1, .num_values = many - 1}));
}

TEST(ChunksTest, AGroupWithoutRows) {
  ROWFEED_ASSERT_OK_AND_ASSIGN(const FileChunks file, Read({.rows = 0,
                                                            .num_values = 0,
                                                            .data_offset = 0,
                                                            .size = 0,
                                                            .uncompressed_size = 0}));
  EXPECT_THAT(file.group_rows, ::testing::ElementsAre(0));
}

TEST(ChunksTest, RefusesChunksInOtherFiles) {
  EXPECT_THAT(
      Read({.file_path = "other.parquet"}),
      StatusIs(StatusCode::kUnsupported, "column 'c': it lies in another file"));
}

TEST(ChunksTest, AllowsForHeadersThatOldParquetMrDidNotCount) {
  const std::string old = "parquet-mr version 1.2.8 (build abcd)";
  EXPECT_EQ(Read({.created_by = old})->chunks[0].size, 200);
  EXPECT_EQ(Read({.data_offset = kFileSize - 130, .created_by = old})->chunks[0].size,
            130);
  EXPECT_EQ(
      Read({.created_by = "parquet-mr version 1.2.9 (build abcd)"})->chunks[0].size,
      100);
}

TEST(ChunksTest, UncompressedSizesSaturate) {
  EXPECT_EQ(Read({.uncompressed_size = 0})->chunks[0].uncompressed_kib, 0);
  EXPECT_EQ(Read({.uncompressed_size = 1})->chunks[0].uncompressed_kib, 1);
  EXPECT_EQ(Read({.uncompressed_size = INT64_MAX})->chunks[0].uncompressed_kib,
            UINT32_MAX);
}

bool SaysNulls(parquet::Repetition::type repetition,
               std::optional<int64_t> null_count) {
  const Result<FileChunks> chunks =
      Read({.repetition = repetition, .null_count = null_count});
  return chunks.ok() && chunks->chunks[0].has_nulls;
}

TEST(ChunksTest, NullsAreKnownWhereTheFooterCanBeRight) {
  constexpr auto kOptional = parquet::Repetition::OPTIONAL;
  EXPECT_TRUE(SaysNulls(kOptional, 1));
  EXPECT_TRUE(SaysNulls(kOptional, 10));
  EXPECT_FALSE(SaysNulls(kOptional, 0));
  EXPECT_FALSE(SaysNulls(kOptional, 11));  // There are 10 values.
  EXPECT_FALSE(SaysNulls(kOptional, -1));
  EXPECT_FALSE(SaysNulls(kOptional, std::nullopt));
  EXPECT_FALSE(SaysNulls(parquet::Repetition::REQUIRED, 1));
  EXPECT_FALSE(SaysNulls(parquet::Repetition::REPEATED, 1));
}

}  // namespace
}  // namespace rowfeed
