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

// Where the bytes of a row lie in the file.
struct FileRow {
  static constexpr int64_t kFill = -1;  // nowhere: a null, filled
  int64_t offset;
  int64_t size;
};

// Steps through the values of pages, each of which follows its own length.
class FileRowFinder {
 public:
  // All but the pool must outlive it.
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

  // Finds the wanted rows of a page whose first row is `first_row`.
  Status Add(const Page& page, int64_t first_row);
  // As many that nobody will look at.
  Status PassOver(int64_t num_rows, int64_t first_row);
  // Those found.
  PooledArray<FileRow> TakeRows() { return std::move(rows_); }

 private:
  // A part of the chunk.
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
  int64_t last_size_ = 0;  // of the values that were found
  std::optional<Dictionary> dictionary_;
  PooledArray<FileRow> dictionary_rows_;
  PooledArray<int32_t> indices_;
  PooledArray<FileRow> rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_FILE_ROW_FINDER_H_
