// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzzing/chunk_kinds.h"

#include <memory>
#include <utility>

#include "arrow/table.h"
#include "arrow/type.h"
#include "parquet/properties.h"
#include "testing/chunk_layouts.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"

namespace rowfeed::fuzzing {
namespace {

using parquet::Encoding;

constexpr int64_t kRows = 60;

void Add(const std::shared_ptr<arrow::DataType>& type, const testing::Layout& layout,
         Encoding::type encoding, std::vector<ChunkKind>* kinds) {
  const auto array =
      testing::RandomArray(type, kRows, kinds->size(), testing::ArrayOptionsOf(layout));
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", type)}), {array});
  const std::string file = testing::ParquetBytes(
      *table, {.properties = testing::PropertiesOf(layout, encoding)});
  testing::TestChunk chunk = testing::OpenChunks(file).at(0);
  chunk.fill = chunk.column.is_bytes()
                   ? "a fill"
                   : std::string(ElementSize(chunk.column.dtype), '\x2a');
  std::string bytes = file.substr(chunk.chunk.offset, chunk.chunk.size);
  kinds->push_back({type->ToString() + ", " + layout.name + ", " +
                        parquet::EncodingToString(encoding),
                    std::move(chunk), std::move(bytes)});
}

std::vector<ChunkKind> MakeKinds() {
  std::vector<ChunkKind> kinds;
  const std::shared_ptr<arrow::DataType> types[] = {
      arrow::boolean(),
      arrow::int16(),
      arrow::int64(),
      arrow::float32(),
      arrow::utf8(),
      arrow::fixed_size_binary(9),
      arrow::list(arrow::int64()),
      arrow::list(arrow::utf8()),
      arrow::list(arrow::list(arrow::int32())),
      arrow::fixed_size_list(arrow::float32(), 3),
  };
  for (const auto& type : types) {
    for (const testing::Layout& layout : testing::kLayouts) {
      Add(type, layout, Encoding::PLAIN, &kinds);
    }
  }
  const std::pair<std::shared_ptr<arrow::DataType>, Encoding::type> encoded[] = {
      {arrow::boolean(), Encoding::RLE},
      {arrow::int32(), Encoding::DELTA_BINARY_PACKED},
      {arrow::int64(), Encoding::DELTA_BINARY_PACKED},
      {arrow::utf8(), Encoding::DELTA_LENGTH_BYTE_ARRAY},
      {arrow::utf8(), Encoding::DELTA_BYTE_ARRAY},
      {arrow::fixed_size_binary(9), Encoding::DELTA_BYTE_ARRAY},
      {arrow::float32(), Encoding::BYTE_STREAM_SPLIT},
      {arrow::float64(), Encoding::BYTE_STREAM_SPLIT},
      {arrow::list(arrow::int64()), Encoding::DELTA_BINARY_PACKED},
  };
  for (const auto& [type, encoding] : encoded) {
    for (const testing::Layout& layout : testing::kLayouts) {
      if (!layout.has_dictionary) Add(type, layout, encoding, &kinds);
    }
  }
  return kinds;
}

}  // namespace

const std::vector<ChunkKind>& ChunkKinds() {
  static const std::vector<ChunkKind> kinds = MakeKinds();
  return kinds;
}

ChunkInput ReadChunkInput(std::string_view input) {
  const auto& kinds = ChunkKinds();
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(input[i]); };
  const size_t kind = byte(0) | byte(1) << 8;
  const auto rows = byte(2);
  // Most inputs ask for all rows; the others for some in the middle.
  const bool is_part = rows % 4 == 0;
  return {kinds[kind % kinds.size()], is_part ? rows / 8 : 0,
          is_part ? rows / 8 + 1 + rows % 25 : kRows, input.substr(kChunkInputHeader)};
}

}  // namespace rowfeed::fuzzing
