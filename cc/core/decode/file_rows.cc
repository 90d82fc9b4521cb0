// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/file_rows.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/chunk_reader.h"
#include "core/decode/dictionary.h"
#include "core/decode/fixed_block.h"
#include "core/decode/level_reader.h"
#include "core/decode/memory_pool.h"
#include "core/decode/page_list.h"
#include "core/decode/page_selection.h"
#include "core/decode/pooled_array.h"
#include "core/decode/slot_format.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

// From here on one read per row costs less than a second copy of it.
constexpr int64_t kLeftInFileBytes = int64_t{16} << 10;

// Where the bytes of a row lie in the file.
struct FileRow {
  static constexpr int64_t kFill = -1;  // nowhere: a null, filled
  int64_t offset;
  int64_t size;
};

class FileRowsBlock : public VariableBlock {
 public:
  FileRowsBlock(const RandomAccessFile* file, std::string fill,
                PooledArray<FileRow> rows)
      : VariableBlock(rows.size()),
        file_(file),
        fill_(std::move(fill)),
        rows_(std::move(rows)) {}

  Status Select(const uint32_t* rows, int64_t size,
                const std::shared_ptr<BufferPool>& pool) override {
    ROWFEED_ASSIGN_OR_RETURN(rows_, SelectItems(rows_.data(), rows, size, pool));
    num_rows_ = size;
    return {};
  }

  void Lengths(const RowRun& run, int64_t* lengths) const override {
    for (int64_t i = 0; i < run.size; ++i) {
      lengths[run.slots[i]] = rows_[run.begin + i].size;
    }
  }

  Status Refer(const std::shared_ptr<BufferPool>& /*pool*/,
               const InlineString** /*rows*/) override {
    return Status::Make(StatusCode::kInternal, "the rows of the block are in a file");
  }

  Status Gather(const RowRun& run, const int64_t* offsets,
                uint8_t* values) const override {
    std::vector<ReadRequest> requests;
    requests.reserve(run.size);
    for (int64_t i = 0; i < run.size; ++i) {
      const FileRow& row = rows_[run.begin + i];
      uint8_t* out = values + offsets[run.slots[i]];
      if (row.offset == FileRow::kFill) {
        std::memcpy(out, fill_.data(), fill_.size());
      } else if (row.size > 0) {
        requests.push_back({{row.offset, row.size}, out});
      }
    }
    return requests.empty() ? Status() : file_->Read(requests);
  }

  int64_t bytes_held() const override {
    return rows_.size() * static_cast<int64_t>(sizeof(FileRow));
  }

 private:
  const RandomAccessFile* const file_;
  const std::string fill_;
  PooledArray<FileRow> rows_;
};

// Steps through the values of pages, each of which follows its own length.
class FileRowFinder {
 public:
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
  Result<PartBlocks> Finish(const std::shared_ptr<BufferPool>& pool) {
    PooledArray<uint8_t> mask(pool);
    if (request_.masks_slots()) ROWFEED_RETURN_NOT_OK(mask.Resize(rows_.size()));
    for (int64_t i = 0; i < mask.size(); ++i) {
      mask[i] = rows_[i].offset == FileRow::kFill ? 0 : 1;
    }
    PartBlocks blocks;
    blocks.push_back(std::make_unique<FileRowsBlock>(
        request_.file, request_.fill->value_or(""), std::move(rows_)));
    if (request_.masks_slots()) {
      const uint8_t* data = mask.data();
      std::vector<Buffer> buffers;
      buffers.push_back(mask.Release());
      blocks.push_back(MakeContiguousBlock(blocks[0]->num_rows(), /*row_bytes=*/1, data,
                                           std::move(buffers)));
    }
    return blocks;
  }

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

// Valid until the next call.
Result<Bytes> FileRowFinder::Take(Range* range, int64_t size) {
  if (size > range->end - range->begin) {
    return Status::Corrupt("a page ends within a value or its levels: ", size,
                           " bytes expected, ", range->end - range->begin, " found");
  }
  // Behind a long value little is wanted, behind a short one maybe the next few.
  const int64_t read_size =
      last_size_ < ChunkReader::kPeekSize ? ChunkReader::kPeekSize : size;
  ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes,
                           reader_->Peek(range->begin, size, read_size));
  range->begin += size;
  return bytes.first(size);
}

Result<uint32_t> FileRowFinder::TakeLength(Range* range) {
  uint32_t length;
  ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes, Take(range, sizeof(length)));
  std::memcpy(&length, bytes.data(), sizeof(length));
  return length;
}

Result<FileRow> FileRowFinder::TakeValue(Range* range) {
  ROWFEED_ASSIGN_OR_RETURN(const uint32_t size, TakeLength(range));
  if (size > range->end - range->begin) {
    return Status::Corrupt("a value of ", size, " bytes in a page that has ",
                           range->end - range->begin, " left");
  }
  const FileRow row{request_.chunk.offset + range->begin, size};
  range->begin += size;
  last_size_ = size;
  return row;
}

Result<PageLevels> FileRowFinder::TakeLevels(const PageHeader& header,
                                             int64_t first_row, Range* body) {
  int64_t size = header.definition_levels_size;
  body->begin += header.repetition_levels_size;
  if (header.type == PageHeader::kData && request_.storage->max_definition_level > 0) {
    ROWFEED_ASSIGN_OR_RETURN(size, TakeLength(body));
  }
  PageBody levels;
  ROWFEED_ASSIGN_OR_RETURN(levels.definition_levels, Take(body, size));
  return levels_.ReadFlat(levels, header.num_values, first_row);
}

Status FileRowFinder::OpenDictionary() {
  if (dictionary_) return {};
  if (!dictionary_page_) {
    return Status::Corrupt("dictionary indices, but the chunk has no dictionary page");
  }
  const Page& page = *dictionary_page_;
  Range body{page.offset, page.offset + page.header.compressed_size};
  for (int32_t i = 0; i < page.header.num_values; ++i) {
    ROWFEED_ASSIGN_OR_RETURN(const FileRow row, TakeValue(&body));
    ROWFEED_RETURN_NOT_OK(dictionary_rows_.Reserve(i + 1));
    dictionary_rows_.Append(row);
  }
  dictionary_.emplace(nullptr, page.header.num_values, arrow_pool_.get());
  return {};
}

Status FileRowFinder::DecodeIndices(const PageHeader& header, int64_t num_present,
                                    Range body) {
  ROWFEED_RETURN_NOT_OK(OpenDictionary());
  ROWFEED_RETURN_NOT_OK(indices_.Resize(num_present));
  ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes, Take(&body, body.end - body.begin));
  return dictionary_->DecodeIndices(bytes, header.num_values, num_present,
                                    indices_.data());
}

Status FileRowFinder::Add(const Page& page, int64_t first_row) {
  const PageHeader& header = page.header;
  Range body{page.offset, page.offset + header.compressed_size};
  ROWFEED_ASSIGN_OR_RETURN(const PageLevels levels,
                           TakeLevels(header, first_row, &body));
  const bool has_indices = header.is_dictionary_coded();
  if (has_indices) {
    ROWFEED_RETURN_NOT_OK(DecodeIndices(header, levels.num_present, body));
  }
  const int64_t end = std::min(levels.num_slots, request_.end_row - first_row);
  ROWFEED_RETURN_NOT_OK(rows_.Reserve(rows_.size() + std::max<int64_t>(end, 0)));
  int64_t next_index = 0;
  for (int64_t i = 0; i < end; ++i) {
    FileRow row = fill_;
    if (levels.slot_levels == nullptr ||
        levels.slot_levels[i] == request_.storage->max_definition_level) {
      if (has_indices) {
        row = dictionary_rows_[indices_[next_index++]];
      } else {
        ROWFEED_ASSIGN_OR_RETURN(row, TakeValue(&body));
      }
    }
    if (first_row + i >= request_.begin_row) rows_.Append(row);
  }
  return {};
}

Status FileRowFinder::PassOver(int64_t num_rows, int64_t first_row) {
  const int64_t begin = std::max(first_row, request_.begin_row);
  const int64_t end = std::min(first_row + num_rows, request_.end_row);
  ROWFEED_RETURN_NOT_OK(
      rows_.Reserve(rows_.size() + std::max<int64_t>(end - begin, 0)));
  for (int64_t row = begin; row < end; ++row) rows_.Append(fill_);
  return {};
}

bool AreVerbatim(const PageList& pages, const ColumnStorage& storage) {
  return std::all_of(pages.data.begin(), pages.data.end(), [&](const Page& page) {
    const PageHeader& header = page.header;
    const bool has_runs = storage.max_definition_level == 0 ||
                          header.definition_level_encoding == PageHeader::kRle;
    const bool is_verbatim =
        has_runs && header.compressed_size == header.uncompressed_size &&
        (header.encoding == PageHeader::kPlain || header.is_dictionary_coded());
    return is_verbatim || !page.is_wanted;
  });
}

}  // namespace

bool AreRowsLeftInFile(const Column& column, const ColumnChunk& chunk,
                       int64_t num_rows) {
  return column.is_bytes() && column.ragged_rank == 0 && chunk.is_verbatim &&
         num_rows > 0 && chunk.size / num_rows >= kLeftInFileBytes;
}

namespace {

// What says where lists, and strings in them, lie: a view of each row in each part, as
// decoded and once more as selected; a view and a length of each string.
int64_t ListViewBytes(const Column& column, const ColumnChunk& chunk,
                      int64_t num_rows) {
  if (column.ragged_rank == 0) return 0;
  constexpr int64_t kViewBytes = sizeof(parquet::ByteArray);
  const int64_t num_parts = column.ragged_rank + (column.is_bytes() ? 1 : 0);
  const int64_t string_bytes = column.is_bytes() ? kViewBytes + sizeof(int64_t) : 0;
  return 2 * kViewBytes * num_rows * num_parts + chunk.num_values * string_bytes;
}

}  // namespace

int64_t VariableBlockBytes(const Column& column, const ColumnChunk& chunk,
                           int64_t num_rows) {
  if (AreRowsLeftInFile(column, chunk, num_rows)) {
    return num_rows * static_cast<int64_t>(sizeof(FileRow));
  }
  // The indices of dictionary-coded values are packed in the file, but not in blocks;
  // converted values may be wider than those of the file.
  const bool is_converted =
      !IsConsistent(column, column.storage) || column.storage.is_decimal();
  const int64_t slot_bytes =
      is_converted ? std::max<int64_t>(ElementSize(column.dtype), sizeof(int32_t))
                   : static_cast<int64_t>(sizeof(int32_t));
  return std::max(int64_t{chunk.uncompressed_kib} << 10,
                  chunk.num_values * slot_bytes) +
         ListViewBytes(column, chunk, num_rows);
}

Result<PartBlocks> FindFileRows(const ChunkRequest& request,
                                const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(const SlotFormat format,
                           MakeSlotFormat(*request.source, *request.storage,
                                          *request.column, request.encoding));
  ROWFEED_ASSIGN_OR_RETURN(ChunkReader reader, ChunkReader::OpenLazily(request, pool));
  ROWFEED_ASSIGN_OR_RETURN(const PageSelection selection,
                           FindPages(request, format, &reader));
  if (!AreVerbatim(selection.pages, *request.storage)) return PartBlocks();
  FileRowFinder finder(request, selection.pages.dictionary, &reader, pool);
  int64_t row = selection.rows_before;
  for (const Page& page : selection.pages.data) {
    if (request.cancelled != nullptr && *request.cancelled) {
      return Status(StatusCode::kCancelled, "decoding was cancelled");
    }
    ROWFEED_RETURN_NOT_OK(page.is_wanted
                              ? finder.Add(page, row)
                              : finder.PassOver(page.header.num_values, row));
    row += page.header.num_values;
  }
  return finder.Finish(pool);
}

}  // namespace rowfeed
