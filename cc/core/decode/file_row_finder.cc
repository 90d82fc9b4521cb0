// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/file_row_finder.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/decode/pages/page_header.h"

namespace rowfeed {

// Reads `size` bytes from the front of `range` and steps over them. The result is valid
// until the next call.
Result<Bytes> FileRowFinder::Take(Range* range, int64_t size) {
  if (size > range->end - range->begin) {
    return Status::Corrupt("a page ends within a value or its levels: ", size,
                           " bytes expected, ", range->end - range->begin, " found");
  }
  // After a long value only the next length is read. After a short one, the bytes that
  // follow are likely to hold the next few values: they are read too.
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

}  // namespace rowfeed
