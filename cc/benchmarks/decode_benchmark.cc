// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Decompresses and decodes a column chunk in memory, and copies it out in file order.
// For comparison, Arrow reads the same chunk. One item is one row.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "arrow/api.h"
#include "arrow/io/memory.h"
#include "benchmark/benchmark.h"
#include "core/decode/blocks/part.h"
#include "core/decode/column_decoder.h"
#include "parquet/arrow/reader.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"

namespace rowfeed::testing {
namespace {

constexpr int64_t kRows = 100'000;
constexpr int64_t kPoolBytes = int64_t{1} << 30;

struct Data {
  const char* name;
  std::shared_ptr<arrow::DataType> type;
  RandomArrayOptions random;
  parquet::Encoding::type encoding;  // RLE_DICTIONARY: while the dictionary is small
  parquet::Compression::type codec;
};

std::vector<Data> AllData() {
  using parquet::Compression;
  using parquet::Encoding;
  const auto tokens = arrow::list(arrow::int64());
  return {
      {"float plain", arrow::float32(), {}, Encoding::PLAIN, Compression::UNCOMPRESSED},
      {"float plain snappy",
       arrow::float32(),
       {},
       Encoding::PLAIN,
       Compression::SNAPPY},
      {"float split zstd",
       arrow::float32(),
       {},
       Encoding::BYTE_STREAM_SPLIT,
       Compression::ZSTD},
      {"float dictionary snappy",
       arrow::float32(),
       {},
       Encoding::RLE_DICTIONARY,
       Compression::SNAPPY},
      {"int64 dictionary snappy",
       arrow::int64(),
       {.distinct_values = 1000},
       Encoding::RLE_DICTIONARY,
       Compression::SNAPPY},
      {"int64 delta",
       arrow::int64(),
       {.distinct_values = 1000},
       Encoding::DELTA_BINARY_PACKED,
       Compression::UNCOMPRESSED},
      {"int64 nulls snappy",
       arrow::int64(),
       {.null_share = 0.1, .distinct_values = 1000},
       Encoding::RLE_DICTIONARY,
       Compression::SNAPPY},
      {"string dictionary snappy",
       arrow::utf8(),
       {.distinct_values = 1000},
       Encoding::RLE_DICTIONARY,
       Compression::SNAPPY},
      {"string plain zstd", arrow::utf8(), {}, Encoding::PLAIN, Compression::ZSTD},
      {"tokens dictionary zstd",
       tokens,
       {.distinct_values = 32'000, .max_length = 60},
       Encoding::RLE_DICTIONARY,
       Compression::ZSTD},
      {"tokens plain",
       tokens,
       {.max_length = 60},
       Encoding::PLAIN,
       Compression::UNCOMPRESSED},
  };
}

std::string FileOf(const Data& data) {
  const auto array = RandomArray(data.type, kRows, /*seed=*/1, data.random);
  const auto field = arrow::field("x", data.type);
  parquet::WriterProperties::Builder properties;
  properties.compression(data.codec);
  if (data.encoding != parquet::Encoding::RLE_DICTIONARY) {
    properties.disable_dictionary()->encoding(data.encoding);
  }
  return ParquetBytes(*arrow::Table::Make(arrow::schema({field}), {array}),
                      {.properties = properties.build()});
}

// The memory of a batch. It is used again and again, as that of batches is.
class Output {
 public:
  explicit Output(int64_t num_rows) : slots_(num_rows), offsets_(num_rows + 1) {
    std::iota(slots_.begin(), slots_.end(), uint32_t{0});
  }

  Status Copy(const ColumnBlock& block, const Part& part) {
    if (!part.is_variable) {
      Reserve(block.num_rows() * part.unit_bytes);
      static_cast<const FixedBlock&>(block).CopyRows(bytes_.data());
      return {};
    }
    const auto& variable = static_cast<const VariableBlock&>(block);
    const RowRun all{0, slots_.data(), block.num_rows()};
    offsets_[0] = 0;
    variable.Lengths(all, offsets_.data() + 1);
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    Reserve(offsets_.back() * part.unit_bytes);
    return variable.Gather(all, offsets_.data(), bytes_.data());
  }

 private:
  void Reserve(int64_t size) {
    if (size > std::ssize(bytes_)) bytes_.resize(size);
  }

  std::vector<uint32_t> slots_;
  std::vector<int64_t> offsets_;
  std::vector<uint8_t> bytes_;
};

Status DecodeOnce(const TestChunk& chunk, const std::shared_ptr<BufferPool>& pool,
                  Output* output) {
  ROWFEED_ASSIGN_OR_RETURN(const PartBlocks blocks,
                           DecodeColumn(chunk.Request(), pool));
  const std::vector<Part> parts = PartsOf(chunk.column, Mask::kNone);
  for (size_t i = 0; i < blocks.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(output->Copy(*blocks[i], parts[i]));
  }
  return {};
}

void Decode(benchmark::State& state, const Data& data) {
  TestChunk chunk = OpenChunks(FileOf(data)).front();
  if (data.random.null_share > 0)
    chunk.fill = std::string(ElementSize(chunk.column.dtype), '\0');
  const auto pool = BufferPool::Make(kPoolBytes);
  Output output(kRows);
  for (auto _ : state) {
    const Status status = DecodeOnce(chunk, pool, &output);
    if (!status.ok()) state.SkipWithError(status.message().c_str());
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

arrow::Status ReadOnce(parquet::arrow::FileReader* reader) {
  std::shared_ptr<arrow::ChunkedArray> column;
  ARROW_RETURN_NOT_OK(reader->ReadColumn(0, &column));
  benchmark::DoNotOptimize(column);
  return arrow::Status::OK();
}

void ReadWithArrow(benchmark::State& state, const Data& data) {
  const auto file = std::make_shared<arrow::io::BufferReader>(
      arrow::Buffer::FromString(FileOf(data)));
  const auto reader =
      parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
  for (auto _ : state) {
    const arrow::Status status = ReadOnce(reader.get());
    if (!status.ok()) state.SkipWithError(status.ToString().c_str());
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const Data& data : AllData()) {
    const std::string name = data.name;
    benchmark::RegisterBenchmark(("decode/" + name).c_str(), Decode, data);
    benchmark::RegisterBenchmark(("arrow/" + name).c_str(), ReadWithArrow, data);
  }
  return true;
}();

}  // namespace
}  // namespace rowfeed::testing
