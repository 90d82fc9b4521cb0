// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/file_rows.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/blocks/fixed_block.h"
#include "core/decode/blocks/make_blocks.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/file_row_finder.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_checksum.h"
#include "core/decode/pages/page_list.h"
#include "core/decode/pages/page_selection.h"
#include "core/decode/values/make_slot_format.h"
#include "core/io/pooled_array.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

// Rows of on average at least this many bytes are left in the file: from here on one
// read per row costs less than a second copy of it.
constexpr int64_t kLeftInFileBytes = int64_t{16} << 10;

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

// Makes a block of the rows and, if the request asks for a mask, one of the mask: 0
// where a row is a filled null.
Result<PartBlocks> MakeBlocks(const ChunkRequest& request, PooledArray<FileRow> rows,
                              const std::shared_ptr<BufferPool>& pool) {
  PooledArray<uint8_t> mask(pool);
  if (request.masks_slots()) ROWFEED_RETURN_NOT_OK(mask.Resize(rows.size()));
  for (int64_t i = 0; i < mask.size(); ++i) {
    mask[i] = rows[i].offset == FileRow::kFill ? 0 : 1;
  }
  PartBlocks blocks;
  blocks.push_back(std::make_unique<FileRowsBlock>(
      request.file, request.fill->value_or(""), std::move(rows)));
  if (request.masks_slots()) {
    const uint8_t* data = mask.data();
    std::vector<Buffer> buffers;
    buffers.push_back(mask.Release());
    blocks.push_back(MakeContiguousBlock(blocks[0]->num_rows(), /*row_bytes=*/1, data,
                                         std::move(buffers)));
  }
  return blocks;
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

// Estimates the bytes of the views (pointer and size) in a block: one per row and part
// of the column; for strings in lists also a view and a length per string.
int64_t ViewBytes(const Column& column, const ColumnChunk& chunk, int64_t num_rows) {
  constexpr int64_t kViewBytes = sizeof(parquet::ByteArray);
  if (column.ragged_rank == 0) {
    // A plain string is stored as a length of 4 bytes and its bytes. If the chunk has
    // fewer bytes than the lengths alone would take, most strings are indices into a
    // dictionary, or null, and need no view.
    const int64_t plain_bytes =
        chunk.num_values * static_cast<int64_t>(sizeof(int32_t));
    const bool is_plain = int64_t{chunk.uncompressed_kib} << 10 >= plain_bytes;
    return is_plain ? kViewBytes * num_rows : 0;
  }
  const int64_t num_parts = column.ragged_rank + (column.is_bytes() ? 1 : 0);
  const int64_t string_bytes = column.is_bytes() ? kViewBytes + sizeof(int64_t) : 0;
  return kViewBytes * num_rows * num_parts + chunk.num_values * string_bytes;
}

}  // namespace

int64_t VariableBlockBytes(const Column& column, const ColumnChunk& chunk,
                           int64_t num_rows) {
  if (AreRowsLeftInFile(column, chunk, num_rows)) {
    return num_rows * static_cast<int64_t>(sizeof(FileRow));
  }
  // Dictionary indices are packed in the file, but take 4 bytes each in a block; a
  // block holds values in their place where those are smaller. Converted values may be
  // wider than the stored ones.
  const bool is_converted =
      !IsConsistent(column, column.storage) || column.storage.is_decimal();
  constexpr int64_t kIndexBytes = sizeof(int32_t);
  const int64_t value_bytes =
      column.is_bytes() ? kIndexBytes : ElementSize(column.dtype);
  const int64_t slot_bytes =
      is_converted ? value_bytes : std::min(value_bytes, kIndexBytes);
  return std::max(int64_t{chunk.uncompressed_kib} << 10,
                  chunk.num_values * slot_bytes) +
         ViewBytes(column, chunk, num_rows);
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
  if (request.verifies_checksums) {
    ROWFEED_RETURN_NOT_OK(VerifyPagesInFile(selection.pages, &reader));
  }
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
  return MakeBlocks(request, finder.TakeRows(), pool);
}

}  // namespace rowfeed
