// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_CHUNK_FIXTURE_H_
#define ROWFEED_TESTING_CHUNK_FIXTURE_H_

// For tests only: column chunks of Parquet files in memory, and rows as strings.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrow/array.h"
#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "arrow/type.h"
#include "core/catalog/chunks.h"
#include "core/catalog/schema/schema.h"
#include "core/decode/blocks/part.h"
#include "core/decode/column_decoder.h"
#include "gtest/gtest.h"
#include "parquet/file_reader.h"

namespace rowfeed::testing {

class MemoryFile : public RandomAccessFile {
 public:
  explicit MemoryFile(std::string bytes, bool is_cached = true)
      : bytes_(std::move(bytes)),
        is_cached_(is_cached),
        version_{std::ssize(bytes_), 0, {}} {}
  Status Read(const std::vector<ReadRequest>& requests) const override {
    ++num_reads_;
    for (const auto& [extent, out] : requests) {
      if (extent.end() > size()) return Status::Corrupt("read beyond the end");
      std::memcpy(out, bytes_.data() + extent.offset, extent.size);
      bytes_read_ += extent.size;
    }
    return {};
  }
  bool IsInPageCache(int64_t /*offset*/) const override { return is_cached_; }
  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }
  int64_t bytes_read() const { return bytes_read_; }
  int64_t num_reads() const { return num_reads_; }

 private:
  const std::string bytes_;
  const bool is_cached_;
  const FileVersion version_;
  const std::string path_ = "memory";
  mutable std::atomic<int64_t> bytes_read_{0};
  mutable std::atomic<int64_t> num_reads_{0};
};

// One column of one row group, and all that a ChunkRequest for it needs.
struct TestChunk {
  Column column;  // the column as batches hold it
  ColumnChunk chunk;
  int64_t group_rows = 0;
  std::shared_ptr<const MemoryFile> file;
  std::optional<std::string> fill;
  StringEncoding encoding = {};
  // The column as the file has it, if it differs.
  std::optional<Column> source = std::nullopt;

  ChunkRequest Request(int64_t begin, int64_t end) const {
    return {.file = file.get(),
            .chunk = chunk,
            .group_rows = group_rows,
            .begin_row = begin,
            .end_row = end,
            .source = source ? &*source : &column,
            .column = &column,
            .storage = &column.storage,
            .fill = &fill,
            .encoding = encoding};
  }
  ChunkRequest Request() const { return Request(0, group_rows); }
  bool has_string_rows() const { return column.is_bytes() && column.ragged_rank == 0; }
};

// Returns the chunks of the supported columns of a file, row group by row group.
inline std::vector<TestChunk> OpenChunks(const std::string& bytes) {
  auto reader =
      parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(
          std::make_shared<arrow::Buffer>(bytes)));
  const auto metadata = reader->metadata();
  const auto file = std::make_shared<MemoryFile>(bytes);
  const auto columns = ReadSchema(*metadata);
  if (!columns.ok()) return {};
  CatalogFile info;
  info.size = file->size();
  const auto chunks = ReadChunks(*metadata, info, *columns);
  if (!chunks.ok()) return {};
  std::vector<TestChunk> result;
  for (size_t i = 0; i < chunks->chunks.size(); ++i) {
    const Column& column = (*columns)[i % columns->size()].column;
    const auto& problems = chunks->problems;
    const bool is_bad = std::any_of(
        problems.begin(), problems.end(),
        [&](const auto& problem) { return problem.column == i % columns->size(); });
    if (is_bad || !column.unsupported.empty()) continue;
    result.push_back({column, chunks->chunks[i],
                      chunks->group_rows[i / columns->size()], file, std::nullopt});
  }
  return result;
}

// Expects that the block refers to these rows, unless its rows are left in a file.
inline void ExpectReferences(VariableBlock& block,
                             const std::vector<std::string>& rows) {
  std::vector<const InlineString*> strings(rows.size());
  const Status status = block.Refer(BufferPool::Make(1 << 20), strings.data());
  if (status.code() == StatusCode::kInternal) return;
  ASSERT_TRUE(status.ok());
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(strings[i]->size(), rows[i].size());
    ASSERT_EQ(std::memcmp(strings[i]->data(), rows[i].data(), rows[i].size()), 0);
  }
}

// Returns the rows of a block, gathered in random order by two selections.
// `are_strings`: each row is one string, so that references to it are tested as well.
inline std::vector<std::string> RowsOf(ColumnBlock& block, const Part& part,
                                       bool are_strings = false) {
  std::vector<uint32_t> rows(block.num_rows());
  std::iota(rows.begin(), rows.end(), 0);
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(7));
  std::vector<uint32_t> slots(rows.size());
  std::iota(slots.begin(), slots.end(), 0);
  const size_t half = rows.size() / 2;
  const Selection selections[] = {
      {rows.data(), slots.data(), static_cast<int64_t>(half)},
      {rows.data() + half, slots.data() + half,
       static_cast<int64_t>(rows.size() - half)}};

  std::vector<int64_t> offsets(rows.size() + 1, 0);
  std::string bytes;
  const int64_t width = part.is_variable ? part.unit_bytes : 1;
  if (part.is_variable) {
    auto& variable = static_cast<VariableBlock&>(block);
    EXPECT_TRUE(
        variable.Select(rows.data(), rows.size(), BufferPool::Make(1 << 20)).ok());
    const RowRun runs[] = {{0, slots.data(), static_cast<int64_t>(half)},
                           {static_cast<int64_t>(half), slots.data() + half,
                            static_cast<int64_t>(rows.size() - half)}};
    for (const RowRun& run : runs) variable.Lengths(run, offsets.data() + 1);
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    bytes.resize(offsets.back() * width);
    auto* out = reinterpret_cast<uint8_t*>(bytes.data());
    for (const RowRun& run : runs) {
      EXPECT_TRUE(variable.Gather(run, offsets.data(), out).ok());
    }
    if (are_strings) {
      std::vector<std::string> strings(rows.size());
      for (size_t i = 0; i < rows.size(); ++i) {
        strings[i] = bytes.substr(offsets[i], offsets[i + 1] - offsets[i]);
      }
      ExpectReferences(variable, strings);
    }
  } else {
    for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = i * part.unit_bytes;
    bytes.resize(offsets.back());
    auto* out = reinterpret_cast<uint8_t*>(bytes.data());
    for (const Selection& selection : selections) {
      EXPECT_TRUE(static_cast<const FixedBlock&>(block).Gather(selection, out).ok());
    }
  }
  std::vector<std::string> result(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    result[rows[i]] =
        bytes.substr(offsets[i] * width, (offsets[i + 1] - offsets[i]) * width);
  }
  return result;
}

// Returns the rows of a column: for each row, its bytes in one part after the other.
inline std::vector<std::string> RowsOf(const PartBlocks& blocks, const Column& column,
                                       Mask mask = Mask::kNone) {
  const std::vector<Part> parts = PartsOf(column, mask);
  EXPECT_EQ(blocks.size(), parts.size());
  std::vector<std::string> result(blocks.empty() ? 0 : blocks[0]->num_rows());
  for (size_t i = 0; i < blocks.size(); ++i) {
    const bool are_strings = column.is_bytes() && column.ragged_rank == 0 && i == 0;
    const std::vector<std::string> rows = RowsOf(*blocks[i], parts[i], are_strings);
    for (size_t row = 0; row < rows.size(); ++row) result[row] += rows[row];
  }
  return result;
}

// Returns the rows of a column's first part, side by side. They are decoded into memory
// of exactly their size. Rows must be of a fixed size.
inline Result<std::string> RowsInPlace(const TestChunk& chunk, int64_t begin,
                                       int64_t end,
                                       const std::shared_ptr<BufferPool>& pool) {
  const Part part = PartsOf(chunk.column, Mask::kNone).at(0);
  std::string rows((end - begin) * part.unit_bytes, '\xee');
  rows.shrink_to_fit();
  ChunkRequest request = chunk.Request(begin, end);
  request.rows_out = reinterpret_cast<uint8_t*>(rows.data());
  ROWFEED_ASSIGN_OR_RETURN(const PartBlocks blocks, DecodeColumn(request, pool));
  static_cast<const FixedBlock&>(*blocks.at(0)).CopyRows(request.rows_out);
  return rows;
}

// Returns the rows of a request's first part, each decoded into memory of its own. If
// `left_out` is not 0, each row whose number is a multiple of it has no place, and
// stays empty. Rows must be of a fixed size.
inline Result<std::vector<std::string>> RowsPlaced(
    ChunkRequest request, const std::shared_ptr<BufferPool>& pool,
    size_t left_out = 0) {
  const int64_t row_bytes = PartsOf(*request.column, Mask::kNone).at(0).unit_bytes;
  std::vector<std::string> rows(request.end_row - request.begin_row);
  std::vector<uint8_t*> places(rows.size(), nullptr);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (left_out > 0 && i % left_out == 0) continue;
    rows[i].assign(row_bytes, '\xee');
    places[i] = reinterpret_cast<uint8_t*>(rows[i].data());
  }
  request.places = places.data();
  ROWFEED_ASSIGN_OR_RETURN(const PartBlocks blocks, DecodeColumn(request, pool));
  if (blocks.at(0) == nullptr) return rows;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (places[i] == nullptr) continue;
    const uint32_t slot = 0;
    ROWFEED_RETURN_NOT_OK(static_cast<const FixedBlock&>(*blocks.at(0))
                              .Gather({&i, &slot, 1}, places[i]));
  }
  return rows;
}

// Returns the bytes of a value that is not null.
inline std::string ElementOf(const arrow::Array& array, int64_t i) {
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      return std::string(1, static_cast<const arrow::BooleanArray&>(array).Value(i));
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return static_cast<const arrow::BinaryArray&>(array).GetString(i);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return static_cast<const arrow::LargeBinaryArray&>(array).GetString(i);
    default: {
      const int64_t width = array.type()->byte_width();
      const auto* values = array.data()->GetValues<char>(1, 0);
      return std::string(values + (array.offset() + i) * width, width);
    }
  }
}

inline std::string Repeat(const std::string& bytes, int64_t count) {
  std::string result;
  for (int64_t i = 0; i < count; ++i) result += bytes;
  return result;
}

// Returns row i of `array` in the form of `column`. Nulls are filled with `fill`.
inline std::string RowOf(const arrow::Array& array, int64_t i, const Column& column,
                         const std::string& fill) {
  const auto elements = [&](const arrow::Array& values, int64_t begin, int64_t size) {
    std::string row;
    for (int64_t k = begin; k < begin + size; ++k) {
      row += values.IsNull(k) ? fill : ElementOf(values, k);
    }
    return row;
  };
  if (array.IsNull(i)) {
    const bool is_bytes = column.is_bytes();
    return is_bytes                 ? fill
           : column.ragged_rank > 0 ? ""
                                    : Repeat(fill, column.num_elements());
  }
  switch (array.type_id()) {
    case arrow::Type::LIST: {
      const auto& list = static_cast<const arrow::ListArray&>(array);
      return elements(*list.values(), list.value_offset(i), list.value_length(i));
    }
    case arrow::Type::LARGE_LIST: {
      const auto& list = static_cast<const arrow::LargeListArray&>(array);
      return elements(*list.values(), list.value_offset(i), list.value_length(i));
    }
    case arrow::Type::FIXED_SIZE_LIST: {
      const auto& list = static_cast<const arrow::FixedSizeListArray&>(array);
      return elements(*list.values(), list.value_offset(i), list.value_length(i));
    }
    default:
      return ElementOf(array, i);
  }
}

inline std::vector<std::string> RowsOf(const arrow::Array& array, int64_t begin,
                                       int64_t end, const Column& column,
                                       const std::string& fill) {
  std::vector<std::string> rows;
  for (int64_t i = begin; i < end; ++i) rows.push_back(RowOf(array, i, column, fill));
  return rows;
}

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_CHUNK_FIXTURE_H_
