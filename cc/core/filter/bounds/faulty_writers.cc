// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/faulty_writers.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/type.h"
#include "arrow/util/key_value_metadata.h"
#include "parquet/arrow/schema.h"
#include "parquet/properties.h"

namespace rowfeed {
namespace {

enum class Columns : uint8_t {
  kAll,
  kByteArrays,
  kUnsigned,      // columns of unsigned integers
  kDictionaries,  // columns whose Arrow type is a dictionary
};

struct FaultyWriter {
  std::string_view name;  // created_by of the footer, up to " version "
  // The first version without the fault. 0: no such version is known, or the name comes
  // without a version.
  int major;
  int minor;
  Columns columns;
  WriterFaults faults;
};

constexpr WriterFaults kBounds{.bounds = true};
constexpr WriterFaults kNullCounts{.null_counts = true};
constexpr WriterFaults kBlooms{.bloom_filters = true};
constexpr WriterFaults kStatistics{.bounds = true, .null_counts = true};

// Arrow itself knows about the faults of two more writers
// (ApplicationVersion::HasCorrectStatistics): parquet-mr (PARQUET-251, order of strings
// and unsigned numbers before 1.10) and parquet-cpp before 1.3.
constexpr std::array kFaultyWriters{
    // Counts only the first chunk of a dictionary column (apache/arrow#15042), and
    // before 6.0 counts the nulls of the dictionary, not of the column (ARROW-12513).
    FaultyWriter{"parquet-cpp-arrow", 11, 0, Columns::kDictionaries, kStatistics},
    FaultyWriter{"parquet-cpp", 0, 0, Columns::kDictionaries, kStatistics},
    // Counts the nulls of dictionaries wrongly (jorgecarleitao/arrow2#1414), and writes
    // greatest values that are too small (pola-rs/polars#7842). The name has no
    // version.
    FaultyWriter{"Arrow2 - Native Rust implementation of Arrow", 0, 0, Columns::kAll,
                 kStatistics},
    // Multiplies null counts by the number of pages (pola-rs/polars#29321), and
    // compares unsigned numbers as signed ones (pola-rs/polars#16683). The name has no
    // version.
    FaultyWriter{"Polars", 0, 0, Columns::kAll, kNullCounts},
    FaultyWriter{"Polars", 0, 0, Columns::kUnsigned, kBounds},
    // Compares strings in another order (apache/arrow-rs#643), and writes 0 nulls where
    // all values are null (apache/arrow-rs#306).
    FaultyWriter{"parquet-rs", 5, 2, Columns::kByteArrays, kBounds},
    FaultyWriter{"parquet-rs", 5, 2, Columns::kAll, kNullCounts},
    // Three programs write this name. They compare unsigned numbers as signed ones
    // (apache/arrow#46391), count nulls wrongly (fraugster/parquet-go#69,
    // xitongsys#536), and write bloom filters that lack values (apache/arrow-go#525).
    FaultyWriter{"parquet-go", 0, 0, Columns::kUnsigned, kBounds},
    FaultyWriter{"parquet-go", 0, 0, Columns::kAll, kNullCounts},
    FaultyWriter{"parquet-go", 0, 0, Columns::kAll, kBlooms},
    // Writes wrong null counts of pages (segmentio/parquet-go#137).
    FaultyWriter{"github.com/segmentio/parquet-go", 0, 0, Columns::kAll, kNullCounts},
    // Writes null counts that are too small (StarRocks/starrocks#78329).
    FaultyWriter{"parquet-mr", 1, 10, Columns::kAll, kNullCounts},
};

// Whether the column was a dictionary in Arrow when it was written. True also if the
// file does not say which type it was.
bool IsArrowDictionary(const parquet::FileMetaData& metadata, int leaf) {
  if (metadata.schema()->Column(leaf)->physical_type() != parquet::Type::BYTE_ARRAY) {
    return false;  // Arrow writes dictionaries of other types as plain values
  }
  const auto& pairs = metadata.key_value_metadata();
  if (pairs == nullptr || !pairs->Contains("ARROW:schema")) return true;
  parquet::arrow::SchemaManifest manifest;
  const auto made = parquet::arrow::SchemaManifest::Make(
      metadata.schema(), pairs, parquet::default_arrow_reader_properties(), &manifest);
  const parquet::arrow::SchemaField* field = nullptr;
  if (!made.ok() || !manifest.GetColumnField(leaf, &field).ok()) return true;
  return field->field->type()->id() == arrow::Type::DICTIONARY;
}

bool IsUnsigned(const parquet::ColumnDescriptor& column) {
  const auto& type = column.logical_type();
  return type->is_int() &&
         !static_cast<const parquet::IntLogicalType&>(*type).is_signed();
}

bool AreMeant(Columns columns, const parquet::FileMetaData& metadata, int leaf) {
  const parquet::ColumnDescriptor& column = *metadata.schema()->Column(leaf);
  switch (columns) {
    case Columns::kAll:
      return true;
    case Columns::kByteArrays:
      return column.physical_type() == parquet::Type::BYTE_ARRAY ||
             column.physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY;
    case Columns::kUnsigned:
      return IsUnsigned(column);
    case Columns::kDictionaries:
      return IsArrowDictionary(metadata, leaf);
  }
  return true;
}

}  // namespace

WriterFaults FaultsOf(const parquet::FileMetaData& metadata, int leaf) {
  const std::string& created_by = metadata.created_by();
  const std::string_view name =
      std::string_view(created_by).substr(0, created_by.find(" version "));
  const parquet::ApplicationVersion& writer = metadata.writer_version();
  WriterFaults found;
  for (const FaultyWriter& faulty : kFaultyWriters) {
    if (name != faulty.name) continue;
    const bool is_mended = faulty.major > 0 && (writer.version.major > faulty.major ||
                                                (writer.version.major == faulty.major &&
                                                 writer.version.minor >= faulty.minor));
    if (is_mended || !AreMeant(faulty.columns, metadata, leaf)) continue;
    found.bounds |= faulty.faults.bounds;
    found.null_counts |= faulty.faults.null_counts;
    found.bloom_filters |= faulty.faults.bloom_filters;
  }
  return found;
}

}  // namespace rowfeed
