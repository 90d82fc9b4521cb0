// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_FILE_ROW_FINDER_H_
#define ROWFEED_CORE_DECODE_FILE_ROW_FINDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/memory_pool.h"
#include "core/decode/levels/level_reader.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
#include "core/decode/values/dictionary.h"
#include "core/io/buffer_pool.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Where the bytes of a string lie in the file.
struct FileRow {
  static constexpr int64_t kFill = -1;  // offset of a filled null, which lies nowhere
  int64_t offset;
  int64_t size;
};

// Finds out where the strings of uncompressed pages lie in the file, without reading
// the strings themselves: reads the length in front of each, and skips its bytes.
class FileRowFinder {
 public:
  // All arguments but the pool must outlive the finder.
  FileRowFinder(const ChunkRequest& request, const std::optional<Page>& dictionary,
                ChunkReader* reader, const std::shared_ptr<BufferPool>& pool)
      : request_(request),
        dictionary_page_(dictionary),
        reader_(reader),
        levels_(request, pool),
        arrow_pool_(request.chunk),
        fill_{FileRow::kFill, std::ssize(request.fill->value_or(""))},
        dictionary_rows_(pool),
        indices_(pool),
        rows_(pool) {}

  // Finds the requested rows of a page. Its first row is row `first_row` of the row
  // group.
  Status Add(const Page& page, int64_t first_row);
  // Adds `num_rows` rows that nobody wants, of which those outside of the request are
  // left out.
  Status PassOver(int64_t num_rows, int64_t first_row);
  // Hands out the rows found so far, one FileRow per requested row.
  PooledArray<FileRow> TakeRows() { return std::move(rows_); }

 private:
  // A part of the chunk: positions in bytes.
  struct Range {
    int64_t begin;
    int64_t end;
  };

  Result<Bytes> Take(Range* range, int64_t size);
  Result<uint32_t> TakeLength(Range* range);
  Result<FileRow> TakeValue(Range* range);
  Result<PageLevels> TakeLevels(const PageHeader& header, int64_t first_row,
                                Range* body);
  Status OpenDictionary();
  Status DecodeIndices(const PageHeader& header, int64_t num_present, Range body);

  const ChunkRequest& request_;
  const std::optional<Page>& dictionary_page_;
  ChunkReader* const reader_;
  LevelReader levels_;
  ChunkMemoryPool arrow_pool_;
  const FileRow fill_;
  int64_t last_size_ = 0;  // size of the value found last
  std::optional<Dictionary> dictionary_;
  PooledArray<FileRow> dictionary_rows_;
  PooledArray<int32_t> indices_;
  PooledArray<FileRow> rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_FILE_ROW_FINDER_H_
