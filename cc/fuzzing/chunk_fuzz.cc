// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Decodes the pages of a column chunk by rowfeed and by Arrow. Both must give the same
// rows, or one of them an error.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decode/column_decoder.h"
#include "core/decode/file_row_finder.h"
#include "fuzzing/chunk_kinds.h"
#include "testing/chunk_fixture.h"

namespace rowfeed::fuzzing {
namespace {

using testing::TestChunk;

constexpr int64_t kPoolBytes = int64_t{1} << 26;

[[noreturn]] void Fail(const ChunkKind& kind, const std::string& what) {
  std::cerr << kind.name << ": " << what << std::endl;
  std::abort();
}

// Returns the rows of a column, if it could be decoded.
std::optional<std::vector<std::string>> RowsIf(const Result<PartBlocks>& blocks,
                                               const Column& column) {
  if (!blocks.ok()) return std::nullopt;
  return testing::RowsOf(*blocks, column);
}

// Decodes in the other ways, which have no oracle; what they give must have as many
// rows.
void DecodeInPlace(const TestChunk& chunk, int64_t begin, int64_t end,
                   const std::shared_ptr<BufferPool>& pool) {
  if (PartsOf(chunk.column, Mask::kNone).at(0).is_variable) return;
  (void)testing::RowsInPlace(chunk, begin, end, pool);
  (void)testing::RowsPlaced(chunk.Request(begin, end), pool);
}

void Compare(const ChunkInput& input) {
  TestChunk chunk = input.kind.chunk;
  chunk.chunk.offset = 0;
  chunk.chunk.size = static_cast<int64_t>(input.bytes.size());
  chunk.file = std::make_shared<testing::MemoryFile>(std::string(input.bytes));
  const auto pool = BufferPool::Make(kPoolBytes);
  const ChunkRequest request = chunk.Request(input.begin, input.end);
  {
    const auto ours = DecodeColumn(request, pool);
    const auto arrows = DecodeColumnWithArrow(request, pool);
    // Gathering the rows reads every byte that the blocks point to.
    const auto rows = RowsIf(ours, chunk.column);
    const auto expected = RowsIf(arrows, chunk.column);
    if (rows && expected && *rows != *expected) {
      Fail(input.kind, "the rows are not those of Arrow");
    }
    DecodeInPlace(chunk, input.begin, input.end, pool);
  }
  if (pool->bytes_in_use() != 0) Fail(input.kind, "buffers were not given back");
}

}  // namespace
}  // namespace rowfeed::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rowfeed::fuzzing;
  if (size <= kChunkInputHeader) return -1;
  Compare(ReadChunkInput({reinterpret_cast<const char*>(data), size}));
  return 0;
}
