// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_CHUNK_LAYOUTS_H_
#define ROWFEED_TESTING_CHUNK_LAYOUTS_H_

// For tests only: the layouts of a chunk that every decoder is tested with.

#include <cstdint>
#include <memory>
#include <ostream>

#include "arrow/util/compression.h"
#include "parquet/properties.h"
#include "testing/random_arrays.h"

namespace rowfeed::testing {

// How a file is written, and what its values are like.
struct Layout {
  const char* name;
  arrow::Compression::type codec = arrow::Compression::UNCOMPRESSED;
  bool is_v2 = false;
  int64_t page_bytes = 1 << 20;
  // The most rows of a page; nulls alone never fill page_bytes.
  int64_t page_rows = 1 << 20;
  int64_t distinct_values = 0;
  double null_share = 0;
  int64_t null_run = 0;
  bool has_dictionary = false;
  int64_t dictionary_bytes = 1 << 20;

  bool has_nulls() const { return null_share > 0 || null_run > 0; }
};

inline std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.name;
}

// Returns the options for random rows of a layout.
inline RandomArrayOptions ArrayOptionsOf(const Layout& layout) {
  return {.null_share = layout.null_share,
          .distinct_values = layout.distinct_values,
          .null_run = layout.null_run};
}

inline std::shared_ptr<parquet::WriterProperties> PropertiesOf(
    const Layout& layout, parquet::Encoding::type encoding = parquet::Encoding::PLAIN,
    bool decimals_as_integers = false) {
  parquet::WriterProperties::Builder builder;
  builder.compression(layout.codec)
      ->data_page_version(layout.is_v2 ? parquet::ParquetDataPageVersion::V2
                                       : parquet::ParquetDataPageVersion::V1)
      ->data_pagesize(layout.page_bytes)
      ->max_rows_per_page(layout.page_rows)
      ->write_batch_size(layout.page_bytes < 1000 ? 7 : 1024)
      ->dictionary_pagesize_limit(layout.dictionary_bytes)
      ->encoding(encoding);
  layout.has_dictionary ? builder.enable_dictionary() : builder.disable_dictionary();
  if (decimals_as_integers) builder.enable_store_decimal_as_integer();
  return builder.build();
}

inline const Layout kLayouts[] = {
    {.name = "Plain"},
    {.name = "PlainTinyPages", .page_bytes = 100},
    {.name = "SnappyV2TinyPages",
     .codec = arrow::Compression::SNAPPY,
     .is_v2 = true,
     .page_bytes = 100},
    {.name = "ZstdTinyPagesNulls",
     .codec = arrow::Compression::ZSTD,
     .page_bytes = 100,
     .null_share = 0.2},
    {.name = "PlainV2Nulls", .is_v2 = true, .null_share = 0.5},
    {.name = "GzipNulls", .codec = arrow::Compression::GZIP, .null_share = 0.05},
    {.name = "AllNull", .codec = arrow::Compression::SNAPPY, .null_share = 1},
    {.name = "Dictionary", .distinct_values = 20, .has_dictionary = true},
    {.name = "DictionarySnappyTinyPagesNulls",
     .codec = arrow::Compression::SNAPPY,
     .page_bytes = 100,
     .distinct_values = 200,
     .null_share = 0.3,
     .has_dictionary = true},
    {.name = "DictionaryV2Lz4",
     .codec = arrow::Compression::LZ4,
     .is_v2 = true,
     .page_bytes = 200,
     .distinct_values = 50,
     .has_dictionary = true},
    {.name = "DictionaryNulls",
     .distinct_values = 1,
     .null_share = 0.9,
     .has_dictionary = true},
    {.name = "DictionaryAllNullV2",
     .is_v2 = true,
     .null_share = 1,
     .has_dictionary = true},
    // The writer gives up the dictionary in the middle of the chunk.
    {.name = "DictionaryThenPlain",
     .page_bytes = 100,
     .has_dictionary = true,
     .dictionary_bytes = 700},
    {.name = "DictionaryThenPlainBrotliNulls",
     .codec = arrow::Compression::BROTLI,
     .page_bytes = 300,
     .null_share = 0.1,
     .has_dictionary = true,
     .dictionary_bytes = 700},
    // The first page, the last one and others have only nulls.
    {.name = "PlainTinyPagesNullRuns",
     .page_bytes = 100,
     .page_rows = 16,
     .null_run = 40},
    {.name = "DictionaryV2NullRuns",
     .is_v2 = true,
     .page_bytes = 200,
     .page_rows = 30,
     .distinct_values = 50,
     .null_run = 200,
     .has_dictionary = true},
    {.name = "ZstdV2NullsAndNullRuns",
     .codec = arrow::Compression::ZSTD,
     .is_v2 = true,
     .page_bytes = 1000,
     .page_rows = 50,
     .null_share = 0.1,
     .null_run = 200},
    {.name = "Lz4Hadoop", .codec = arrow::Compression::LZ4_HADOOP, .page_bytes = 1000},
};

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_CHUNK_LAYOUTS_H_
