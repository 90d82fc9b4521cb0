// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/page_list.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace rowfeed {
namespace {

// Pages below this size are allowed whatever the footer says: some writers get the
// total wrong, and they cannot do harm.
constexpr int64_t kHarmlessPageSize = int64_t{16} << 20;
// A header holds little but the page's smallest and largest value.
constexpr int64_t kUsualHeaderSize = 512;
constexpr int64_t kLargestHeaderSize = int64_t{16} << 20;

int64_t PageSizeLimit(const ColumnChunk& chunk) {
  if (chunk.uncompressed_kib == std::numeric_limits<uint32_t>::max()) {
    return std::numeric_limits<int64_t>::max();
  }
  return std::max(int64_t{chunk.uncompressed_kib} << 10, kHarmlessPageSize);
}

// Reads the header at page->offset and steps over it.
Status ReadHeader(ChunkReader* reader, Page* page) {
  for (int64_t size = kUsualHeaderSize;; size *= 4) {
    ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes, reader->Peek(page->offset, size));
    const auto header_size =
        ReadPageHeader(bytes.data(), std::ssize(bytes), &page->header);
    if (header_size.ok()) {
      page->offset += *header_size;
      return {};
    }
    // It may go on beyond what was read.
    if (page->offset + std::ssize(bytes) == reader->size() ||
        size >= kLargestHeaderSize) {
      return header_size.status();
    }
  }
}

Status CheckSizes(const ChunkReader& reader, const ColumnChunk& chunk,
                  const Page& page) {
  const int64_t left = reader.size() - page.offset;
  if (page.header.compressed_size > left) {
    return Status::Corrupt("it has ", page.header.compressed_size,
                           " bytes, but the chunk has only ", left, " left");
  }
  if (page.header.uncompressed_size > PageSizeLimit(chunk)) {
    return Status::Corrupt("it claims ", page.header.uncompressed_size,
                           " bytes, the whole chunk only ", chunk.uncompressed_kib,
                           " KiB by the footer");
  }
  return {};
}

Status LoadBodies(ChunkReader* reader, std::vector<Page>::iterator begin,
                  std::vector<Page>::iterator end) {
  const Page& last = *std::prev(end);
  const int64_t offset = begin->offset;
  ROWFEED_ASSIGN_OR_RETURN(
      const Bytes bytes,
      reader->Load(offset, last.offset + last.header.compressed_size));
  for (auto page = begin; page != end; ++page) {
    page->body = bytes.subspan(page->offset - offset, page->header.compressed_size);
  }
  return {};
}

}  // namespace

Result<Page> ReadPage(ChunkReader* reader, const ColumnChunk& chunk, int64_t offset) {
  Page page;
  page.header_offset = offset;
  page.offset = offset;
  ROWFEED_RETURN_NOT_OK(ReadHeader(reader, &page));
  ROWFEED_RETURN_NOT_OK(CheckSizes(*reader, chunk, page));
  return page;
}

Result<PageList> ListPages(ChunkReader* reader, const ColumnChunk& chunk) {
  PageList pages;
  int64_t num_values = 0;
  int64_t offset = 0;
  while (num_values < chunk.num_values) {
    const Result<Page> read = ReadPage(reader, chunk, offset);
    if (!read.ok()) {
      return read.status().WithContext("page " + std::to_string(pages.data.size()) +
                                       ", after " + std::to_string(num_values) +
                                       " of " + std::to_string(chunk.num_values) +
                                       " values");
    }
    const Page& page = *read;
    offset = page.offset + page.header.compressed_size;
    if (page.header.is_data()) {
      num_values += page.header.num_values;
      pages.data.push_back(page);
    } else if (page.header.type == PageHeader::kDictionary) {
      if (pages.dictionary || !pages.data.empty()) {
        return Status::Corrupt("a dictionary page that is not the chunk's first page");
      }
      pages.dictionary = page;
    }
  }
  if (num_values != chunk.num_values) {
    return Status::Corrupt("expected ", chunk.num_values,
                           " values by the footer, found ", num_values,
                           " in the pages");
  }
  return pages;
}

Status LoadBodies(ChunkReader* reader, PageList* pages) {
  const bool has_indices =
      std::any_of(pages->data.begin(), pages->data.end(),
                  [](const Page& page) { return page.needs_dictionary(); });
  if (pages->dictionary && has_indices) {
    Page& page = *pages->dictionary;
    const int64_t end = page.offset + page.header.compressed_size;
    ROWFEED_ASSIGN_OR_RETURN(page.body, reader->Load(page.offset, end));
  }
  // Neighbours are read at once.
  for (auto begin = pages->data.begin(); begin != pages->data.end();) {
    const auto end = std::find_if(begin, pages->data.end(), [&](const Page& page) {
      return page.is_wanted != begin->is_wanted;
    });
    if (begin->is_wanted) ROWFEED_RETURN_NOT_OK(LoadBodies(reader, begin, end));
    begin = end;
  }
  return {};
}

}  // namespace rowfeed
