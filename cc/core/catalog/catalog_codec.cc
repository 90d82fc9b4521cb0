// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// A catalog as bytes: magic, version, checksum of the rest, then little-endian integers
// and length-prefixed strings. What follows from the rest (fingerprint, sums) is not
// stored.
#include <algorithm>
#include <limits>
#include <utility>

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"
#include "core/arrow_status.h"
#include "core/catalog/catalog.h"
#include "core/catalog/catalog_builder.h"
#include "core/catalog/column_codec.h"
#include "core/wire.h"

namespace rowfeed {
namespace {

constexpr std::string_view kCatalogMagic = "RFCAT1";
// Catalogs of all row groups, those without known nulls, and those without differences
// are written in the older version, which an older rowfeed can read.
constexpr uint16_t kVersion = 9;
constexpr uint16_t kVersionOfAllGroups = 8;
constexpr uint16_t kVersionWithoutNulls = 7;
constexpr uint16_t kVersionWithoutDifferences = 6;
// This version does not store the partitions of files, which followed from their names,
// nor types that the user gave.
constexpr uint16_t kVersionWithoutPartitions = 5;
constexpr size_t kHeaderBytes =
    kCatalogMagic.size() + sizeof(uint16_t) + sizeof(uint64_t);

// The bits of the last byte of a chunk.
constexpr uint8_t kIsVerbatim = 1;
constexpr uint8_t kHasNulls = 2;

void WriteChunk(const ColumnChunk& chunk, WireWriter* out) {
  out->Int(chunk.offset);
  out->Int(chunk.size);
  out->Int(chunk.num_values);
  out->Int(chunk.uncompressed_kib);
  out->Int(chunk.codec);
  // Without known nulls this is the bool that older versions have in its place.
  out->Int<uint8_t>((chunk.is_verbatim ? kIsVerbatim : 0) |
                    (chunk.has_nulls ? kHasNulls : 0));
}

// Reads a chunk. `column` is the column as the file has it; nullptr: the file lacks it.
// `has_nulls` tells whether the version has that bit.
ColumnChunk ReadChunk(const Column* column, int64_t rows, int64_t file_size,
                      bool has_nulls, WireReader* in) {
  constexpr int64_t kMaxCodec = 7;  // LZ4_RAW
  ColumnChunk chunk;
  chunk.offset = in->IntIn<int64_t>(0, file_size);
  chunk.size = in->IntIn<int64_t>(0, file_size - chunk.offset);
  const bool is_known =
      column != nullptr && column->unsupported.empty() && !column->is_partition;
  const bool is_list = is_known && column->storage.max_repetition_level() > 0;
  chunk.num_values =
      in->IntIn<int64_t>(is_known ? rows : 0, is_list ? ColumnChunk::kMaxValues : rows);
  chunk.uncompressed_kib = in->Int<uint32_t>();
  chunk.codec = in->IntIn<uint8_t>(0, kMaxCodec);
  const auto flags =
      in->IntIn<uint8_t>(0, has_nulls ? kIsVerbatim | kHasNulls : kIsVerbatim);
  chunk.is_verbatim = (flags & kIsVerbatim) != 0;
  chunk.has_nulls = (flags & kHasNulls) != 0;
  return chunk;
}
constexpr size_t kChunkBytes = 30;

constexpr size_t kMinFileBytes = 3 * 8 + 3 * 8 + 4 + 8;

// The greatest number of a row group within its file. The next number is an int32, too.
constexpr int32_t kMaxGroupIndex = std::numeric_limits<int32_t>::max() - 1;

// Reads the parts of a catalog, one after the other, into a CatalogBuilder.
class Parser {
 public:
  Parser(std::string_view payload, uint16_t version)
      : in_(payload), version_(version) {}

  // Returns the catalog; nullptr if the payload contradicts itself.
  std::shared_ptr<const Catalog> Parse() {
    ReadLayouts();
    if (!in_.ok()) return nullptr;
    CatalogBuilder builder(columns_);
    const size_t num_files = in_.Count(kMinFileBytes);
    for (size_t f = 0; f < num_files && in_.ok(); ++f) ReadFile(&builder);
    return in_.AtEnd() ? std::move(builder).Finish() : nullptr;
  }

 private:
  void ReadLayouts() {
    const size_t num_columns = in_.Count(kMinColumnBytes);
    for (size_t c = 0; c < num_columns && in_.ok(); ++c)
      columns_.push_back(ReadColumn(&in_));
    const size_t num_layouts =
        in_.Count(std::max<size_t>(num_columns * kMinStorageBytes, 1));
    for (size_t i = 0; i < num_layouts && in_.ok(); ++i) ReadLayout();
  }

  void ReadLayout() {
    FileLayout layout;
    for (size_t c = 0; c < columns_.size(); ++c) {
      layout.storage.push_back(ReadStorage(&in_));
    }
    if (version_ > kVersionWithoutDifferences)
      layout.differences = ReadDifferences(columns_.size(), &in_);
    for (size_t c = 0; c < columns_.size(); ++c) {
      const Difference* difference = layout.Find(static_cast<int>(c));
      const bool is_other = difference != nullptr && !difference->is_null();
      const Column& column = is_other ? difference->as_stored : columns_[c];
      if (!IsConsistent(column, layout.storage[c])) in_.Fail();
    }
    layouts_.push_back(std::move(layout));
  }

  // Returns the column as the file has it; nullptr if the file lacks it.
  const Column* StoredColumn(const FileLayout& layout, size_t column) const {
    const Difference* difference = layout.Find(static_cast<int>(column));
    if (difference == nullptr) return &columns_[column];
    return difference->is_null() ? nullptr : &difference->as_stored;
  }

  void ReadFile(CatalogBuilder* builder) {
    CatalogFile file;
    file.path = in_.String();
    file.name = in_.String();
    file.partitions =
        version_ == kVersionWithoutPartitions ? PartitionsIn(file.name) : in_.String();
    file.size = in_.IntIn<int64_t>(0, std::numeric_limits<int64_t>::max());
    file.mtime_ns = in_.Int<int64_t>();
    file.etag = in_.String();
    file.footer_digest = in_.Int<uint64_t>();
    const auto layout =
        in_.IntIn<int32_t>(0, static_cast<int64_t>(layouts_.size()) - 1);
    const size_t num_groups =
        in_.Count(sizeof(int64_t) + columns_.size() * kChunkBytes);
    std::vector<int64_t> rows;
    std::vector<ColumnChunk> chunks;
    std::vector<int32_t> indices;
    for (size_t g = 0; g < num_groups && in_.ok(); ++g) {
      const int32_t least = indices.empty() ? 0 : indices.back() + 1;
      indices.push_back(version_ > kVersionOfAllGroups
                            ? in_.IntIn<int32_t>(least, kMaxGroupIndex)
                            : least);
      rows.push_back(in_.IntIn<int64_t>(0, std::numeric_limits<int32_t>::max()));
      for (size_t c = 0; c < columns_.size(); ++c) {
        const Column* stored = StoredColumn(layouts_[layout], c);
        chunks.push_back(ReadChunk(stored, rows.back(), file.size,
                                   version_ > kVersionWithoutNulls, &in_));
      }
    }
    if (!in_.ok()) return;
    builder->AddFile(std::move(file), layouts_[layout], rows, chunks,
                     version_ > kVersionOfAllGroups ? &indices : nullptr);
  }

  WireReader in_;
  const uint16_t version_;
  std::vector<Column> columns_;
  std::vector<FileLayout> layouts_;
};

Result<std::shared_ptr<const Catalog>> ParseCatalog(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes ||
      bytes.substr(0, kCatalogMagic.size()) != kCatalogMagic) {
    return Status::Invalid("not a rowfeed catalog: its ", bytes.size(),
                           " bytes do not start with \"", kCatalogMagic, "\"");
  }
  WireReader header(
      bytes.substr(kCatalogMagic.size(), kHeaderBytes - kCatalogMagic.size()));
  const auto version = header.Int<uint16_t>();
  const auto checksum = header.Int<uint64_t>();
  if (version < kVersionWithoutPartitions || version > kVersion) {
    return Status::Invalid("a catalog of version ", version,
                           "; this rowfeed reads versions ", kVersionWithoutPartitions,
                           " to ", kVersion);
  }
  const std::string_view payload = bytes.substr(kHeaderBytes);
  if (XXH3_64bits(payload.data(), payload.size()) != checksum) {
    return Status::Invalid("the catalog is damaged: its checksum does not match");
  }
  std::shared_ptr<const Catalog> catalog = Parser(payload, version).Parse();
  if (catalog == nullptr) return Status::Invalid("the catalog contradicts itself");
  return catalog;
}

void WriteFile(const CatalogFile& file, int32_t layout, size_t num_groups,
               WireWriter* out) {
  out->String(file.path);
  out->String(file.name);
  out->String(file.partitions);
  out->Int(file.size);
  out->Int(file.mtime_ns);
  out->String(file.etag);
  out->Int(file.footer_digest);
  out->Int(layout);
  out->Count(num_groups);
}

std::string Sealed(uint16_t version, const std::string& payload) {
  WireWriter header;
  header.Int(version);
  header.Int<uint64_t>(XXH3_64bits(payload.data(), payload.size()));
  return std::string(kCatalogMagic) + std::move(header).Finish() + payload;
}

}  // namespace

std::string Catalog::Serialize() const {
  WireWriter payload;
  payload.Count(columns_.size());
  for (const Column& column : columns_) WriteColumn(column, &payload);
  payload.Count(layouts_.size());
  const bool has_differences =
      std::any_of(layouts_.begin(), layouts_.end(),
                  [](const FileLayout& layout) { return !layout.differences.empty(); });
  const bool has_nulls =
      std::any_of(chunks_.begin(), chunks_.end(),
                  [](const ColumnChunk& chunk) { return chunk.has_nulls; });
  const uint16_t version = is_selection_     ? kVersion
                           : has_nulls       ? kVersionOfAllGroups
                           : has_differences ? kVersionWithoutNulls
                                             : kVersionWithoutDifferences;
  for (const FileLayout& layout : layouts_) {
    for (const ColumnStorage& storage : layout.storage) WriteStorage(storage, &payload);
    if (version > kVersionWithoutDifferences) WriteDifferences(layout, &payload);
  }
  payload.Count(files_.size());
  size_t end = 0;
  for (size_t f = 0; f < files_.size(); ++f) {
    const size_t begin = end;
    while (end < row_groups_.size() &&
           row_groups_[end].file == static_cast<int32_t>(f)) {
      ++end;
    }
    WriteFile(files_[f], file_layouts_[f], end - begin, &payload);
    for (size_t g = begin; g < end; ++g) {
      if (is_selection_) payload.Int(row_groups_[g].index);
      payload.Int(row_groups_[g].rows);
      for (size_t c = 0; c < columns_.size(); ++c) {
        WriteChunk(chunk(static_cast<int64_t>(g), static_cast<int>(c)), &payload);
      }
    }
  }
  return Sealed(version, std::move(payload).Finish());
}

Result<std::shared_ptr<const Catalog>> Catalog::Parse(std::string_view bytes) {
  return CatchParquet([&] { return ParseCatalog(bytes); });
}

}  // namespace rowfeed
