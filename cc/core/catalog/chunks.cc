// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/chunks.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/arrow_status.h"
#include "core/io/uri.h"
#include "parquet/size_statistics.h"
#include "parquet/statistics.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

// Numbers of rows within a row group have 32 bits.
constexpr int64_t kMaxGroupRows = std::numeric_limits<int32_t>::max();

Result<uint8_t> CodecNumber(parquet::Compression::type codec) {
  switch (codec) {
    case parquet::Compression::UNCOMPRESSED:
      return uint8_t{0};
    case parquet::Compression::SNAPPY:
      return uint8_t{1};
    case parquet::Compression::GZIP:
      return uint8_t{2};
    case parquet::Compression::BROTLI:
      return uint8_t{4};
    case parquet::Compression::LZ4_HADOOP:
      return uint8_t{5};
    case parquet::Compression::ZSTD:
      return uint8_t{6};
    case parquet::Compression::LZ4:
      return uint8_t{7};
    default:
      return Status::Unsupported("its compression codec is not supported");
  }
}

// Returns how many bytes may be missing from the size of a chunk in the footer. Old
// parquet-mr left out the dictionary page's header (PARQUET-816). It is less than 100
// bytes, and Arrow reads as many more.
int64_t MissingBytes(const parquet::FileMetaData& metadata) {
  constexpr int64_t kMaxDictionaryHeaderBytes = 100;
  const bool too_short = metadata.writer_version().VersionLt(
      parquet::ApplicationVersion::PARQUET_816_FIXED_VERSION());
  return too_short ? kMaxDictionaryHeaderBytes : 0;
}

uint32_t KibRoundedUp(int64_t bytes) {
  const int64_t kib = bytes / 1024 + (bytes % 1024 != 0 ? 1 : 0);
  return static_cast<uint32_t>(
      std::min<int64_t>(kib, std::numeric_limits<uint32_t>::max()));
}

// Whether a chunk is not compressed and has only encodings of plain values and
// dictionaries. Its list of encodings includes those of levels (RLE).
bool IsVerbatim(const parquet::ColumnChunkMetaData& chunk) {
  const std::vector<parquet::Encoding::type>& encodings = chunk.encodings();
  return chunk.compression() == parquet::Compression::UNCOMPRESSED &&
         std::all_of(encodings.begin(), encodings.end(), [](const auto encoding) {
           return encoding == parquet::Encoding::PLAIN ||
                  encoding == parquet::Encoding::PLAIN_DICTIONARY ||
                  encoding == parquet::Encoding::RLE_DICTIONARY ||
                  encoding == parquet::Encoding::RLE;
         });
}

// Whether some lists, or elements of lists, are null, by the histogram of levels in the
// footer. It is the only statement that tells them from empty lists.
bool HasNullsInLists(const parquet::ColumnChunkMetaData& chunk,
                     const ColumnStorage& storage) {
  const auto sizes = chunk.size_statistics();
  if (sizes == nullptr) return false;
  const std::vector<int64_t>& counts = sizes->definition_level_histogram;
  if (std::ssize(counts) != storage.max_definition_level + 1) return false;
  int64_t num_nulls = 0;
  int64_t num_entries = 0;
  for (int16_t level = 0; level <= storage.max_definition_level; ++level) {
    const int64_t count = counts[level];
    if (count < 0 || count > chunk.num_values() - num_entries) return false;
    num_entries += count;
    // An empty list has the level below that of its slots.
    const std::vector<int16_t>& slots = storage.slot_definition_levels;
    const bool is_empty =
        std::find(slots.begin(), slots.end(), level + 1) != slots.end();
    if (level < storage.max_definition_level && !is_empty) num_nulls += count;
  }
  return num_entries == chunk.num_values() && num_nulls > 0;
}

// Whether some rows are null, or elements of lists, by a statement of the footer that
// is possible. Whatever is wrong with the statistics, the values can be read.
bool HasNulls(const parquet::ColumnChunkMetaData& chunk, const ColumnStorage& storage) {
  if (storage.max_definition_level == 0) return false;
  const Result<bool> found = CatchParquet([&]() -> Result<bool> {
    if (storage.max_repetition_level() > 0) return HasNullsInLists(chunk, storage);
    const auto statistics = chunk.encoded_statistics();
    return statistics != nullptr && statistics->has_null_count &&
           statistics->null_count > 0 && statistics->null_count <= chunk.num_values();
  });
  return found.ok() && *found;
}

Status CheckNumValues(const SchemaColumn& column, int64_t num_values, int64_t rows) {
  const bool is_list = column.column.storage.max_repetition_level() > 0;
  if (is_list ? num_values >= rows && num_values <= ColumnChunk::kMaxValues
              : num_values == rows) {
    return {};
  }
  return Status::Corrupt("the footer claims ", num_values, " values for ", rows,
                         " rows");
}

// Returns the fewest bytes that each value of a chunk takes in its pages. 0: no bound
// is known, because nulls, dictionaries, runs and deltas store any number of values in
// a few bytes, or because the footer does not name the encodings.
int64_t LeastValueBytes(const parquet::ColumnChunkMetaData& chunk,
                        const ColumnStorage& storage) {
  if (storage.max_definition_level > 0 || chunk.has_dictionary_page()) return 0;
  const std::vector<parquet::Encoding::type>& encodings = chunk.encodings();
  bool has_values = false;
  for (const parquet::Encoding::type encoding : encodings) {
    if (encoding == parquet::Encoding::PLAIN ||
        encoding == parquet::Encoding::BYTE_STREAM_SPLIT) {
      has_values = true;
    } else if (encoding != parquet::Encoding::RLE &&
               encoding != parquet::Encoding::BIT_PACKED) {
      return 0;
    }  // These two are for levels here: of values, only booleans have them.
  }
  if (!has_values) return 0;
  switch (storage.physical) {
    case ColumnStorage::kBoolean:
      return 0;
    case ColumnStorage::kInt32:
    case ColumnStorage::kFloat:
    case ColumnStorage::kByteArray:  // the length before the bytes of a value
      return 4;
    case ColumnStorage::kInt64:
    case ColumnStorage::kDouble:
      return 8;
    case ColumnStorage::kInt96:
      return 12;
    case ColumnStorage::kFixedLenByteArray:
      return storage.type_length;
  }
  return 0;
}

// Checks that a chunk has room for its values. Memory is planned and taken by their
// number, so a small file must not claim billions of them. Where nothing is compressed,
// the size in the file counts: it has been compared with the file's own.
Status CheckRoomForValues(const parquet::ColumnChunkMetaData& chunk,
                          const ColumnStorage& storage) {
  const int64_t least = LeastValueBytes(chunk, storage);
  const bool is_compressed = chunk.compression() != parquet::Compression::UNCOMPRESSED;
  const int64_t bytes =
      is_compressed ? chunk.total_uncompressed_size() : chunk.total_compressed_size();
  if (least == 0 || chunk.num_values() <= bytes / least) return {};
  return Status::Corrupt("the footer claims ", chunk.num_values(),
                         " values of at least ", least, " bytes in ", bytes,
                         " uncompressed bytes");
}

Result<ColumnChunk> ReadChunk(const parquet::ColumnChunkMetaData& chunk,
                              const SchemaColumn& column, int64_t rows,
                              int64_t file_size, int64_t missing_bytes) {
  if (!chunk.file_path().empty()) {
    return Status::Unsupported("it lies in another file, ", chunk.file_path(),
                               ", which is not supported");
  }
  if (static_cast<int>(chunk.type()) != column.column.storage.physical) {
    return Status::Corrupt("the row group stores it as ",
                           parquet::TypeToString(chunk.type()),
                           ", the schema says another type");
  }
  ColumnChunk result;
  result.offset = ChunkOffset(chunk);
  result.size = chunk.total_compressed_size();
  if (result.offset < 0 || result.size < 0 || result.offset > file_size ||
      result.size > file_size - result.offset) {
    return Status::Corrupt("the footer claims ", result.size, " bytes from ",
                           result.offset, " on, but the file has ", file_size);
  }
  result.size += std::min(missing_bytes, file_size - result.offset - result.size);
  result.num_values = chunk.num_values();
  ROWFEED_RETURN_NOT_OK(CheckNumValues(column, result.num_values, rows));
  if (chunk.total_uncompressed_size() < 0) {
    return Status::Corrupt("the footer claims ", chunk.total_uncompressed_size(),
                           " uncompressed bytes");
  }
  ROWFEED_RETURN_NOT_OK(CheckRoomForValues(chunk, column.column.storage));
  result.uncompressed_kib = KibRoundedUp(chunk.total_uncompressed_size());
  if (!chunk.can_decompress()) {
    return Status::Unsupported("its compression codec is not supported");
  }
  ROWFEED_ASSIGN_OR_RETURN(result.codec, CodecNumber(chunk.compression()));
  result.is_verbatim = IsVerbatim(chunk);
  result.has_nulls = HasNulls(chunk, column.column.storage);
  return result;
}

// Reads what the footer says about one chunk, and turns what Parquet throws into an
// error.
Result<ColumnChunk> ReadChunkOf(const parquet::FileMetaData& metadata,
                                const parquet::RowGroupMetaData& group,
                                const SchemaColumn& column, int64_t file_size) {
  Result<ColumnChunk> result = CatchParquet([&]() -> Result<ColumnChunk> {
    const std::unique_ptr<parquet::ColumnChunkMetaData> chunk =
        group.ColumnChunk(column.leaf);
    if (chunk->crypto_metadata() != nullptr) {
      return Status::Unsupported("it is encrypted, which is not supported");
    }
    return ReadChunk(*chunk, column, group.num_rows(), file_size,
                     MissingBytes(metadata));
  });
  // Without the key not even the chunk's metadata can be read: Parquet throws, whatever
  // is encrypted.
  if (!result.ok() && metadata.is_encryption_algorithm_set()) {
    return Status::Unsupported("it is encrypted, which is not supported");
  }
  return result;
}

Result<int64_t> ReadGroupRows(const parquet::RowGroupMetaData& group) {
  const int64_t rows = group.num_rows();
  if (rows < 0) return Status::Corrupt("the footer claims ", rows, " rows");
  if (rows > kMaxGroupRows) {
    return Status::Unsupported(rows,
                               " rows in one row group are not supported; at most ",
                               kMaxGroupRows, " are");
  }
  return rows;
}

void AddProblem(ColumnProblem problem, std::vector<ColumnProblem>* problems) {
  for (const ColumnProblem& known : *problems) {
    if (known.column == problem.column) return;
  }
  problems->push_back(std::move(problem));
}

// Adds the chunks of one row group to `result`. `where` names the row group in errors.
Status AddRowGroup(const parquet::RowGroupMetaData& group, const std::string& where,
                   const parquet::FileMetaData& metadata, int64_t file_size,
                   const std::vector<SchemaColumn>& columns, FileChunks* result) {
  const Result<int64_t> rows = ReadGroupRows(group);
  if (!rows.ok()) return rows.status().WithContext(where);
  result->group_rows.push_back(*rows);
  for (size_t c = 0; c < columns.size(); ++c) {
    result->chunks.emplace_back();
    if (columns[c].leaf < 0) continue;
    const Result<ColumnChunk> chunk =
        ReadChunkOf(metadata, group, columns[c], file_size);
    if (chunk.ok()) {
      result->chunks.back() = *chunk;
    } else {
      AddProblem({c, where, chunk.status()}, &result->problems);
    }
  }
  return {};
}

}  // namespace

// Some writers store the offset 0 if there is no dictionary page.
int64_t ChunkOffset(const parquet::ColumnChunkMetaData& chunk) {
  const int64_t data = chunk.data_page_offset();
  const int64_t dictionary =
      chunk.has_dictionary_page() ? chunk.dictionary_page_offset() : 0;
  return dictionary > 0 ? std::min(data, dictionary) : data;
}

Result<FileChunks> ReadChunks(const parquet::FileMetaData& metadata,
                              const CatalogFile& file,
                              const std::vector<SchemaColumn>& columns) {
  return CatchParquet([&]() -> Result<FileChunks> {
    const int num_groups = metadata.num_row_groups();
    FileChunks result;
    result.group_rows.reserve(num_groups);
    result.chunks.reserve(num_groups * columns.size());
    for (int g = 0; g < num_groups; ++g) {
      const std::string where =
          ShownPath(file.path) + ", row group " + std::to_string(g);
      ROWFEED_RETURN_NOT_OK(AddRowGroup(*metadata.RowGroup(g), where, metadata,
                                        file.size, columns, &result));
    }
    if (!IsUri(file.path)) return result;
    for (ColumnChunk& chunk : result.chunks) chunk.is_verbatim = false;
    return result;
  });
}

}  // namespace rowfeed
