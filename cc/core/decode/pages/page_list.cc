// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_list.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string>

namespace rowfeed {
namespace {

// Pages of at most this many bytes are allowed whatever the footer says: some writers
// give a wrong total size, and so small pages cannot exhaust the memory.
constexpr int64_t kHarmlessPageSize = int64_t{16} << 20;
// Number of bytes read first for a header. Most headers hold little more than the
// page's smallest and largest value.
constexpr int64_t kUsualHeaderSize = 512;
constexpr int64_t kLargestHeaderSize = int64_t{16} << 20;
// Values of plain pages of at least this many bytes may stay in the file. Smaller pages
// are read whole, many at once.
constexpr int64_t kLargePageSize = int64_t{64} << 10;

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
    // The header may be longer than what was read: the loop reads more.
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

enum class Body { kNone, kLevels, kAll };

Body BodyOf(const Page& page, bool leaves_values) {
  if (!page.is_wanted) return Body::kNone;
  return leaves_values && page.header.encoding == PageHeader::kPlain &&
                 page.header.compressed_size >= kLargePageSize
             ? Body::kLevels
             : Body::kAll;
}

// Returns the number of bytes in front of the values of an uncompressed page; at most
// the size of its body.
Result<int64_t> LevelsSize(ChunkReader* reader, const ColumnStorage& storage,
                           const Page& page) {
  const PageHeader& header = page.header;
  if (header.type == PageHeader::kDataV2) {
    return int64_t{header.repetition_levels_size} + header.definition_levels_size;
  }
  int64_t size = 0;
  for (const int16_t max_level :
       {storage.max_repetition_level(), storage.max_definition_level}) {
    if (max_level == 0) continue;
    if (size >= header.compressed_size) break;
    uint32_t length = 0;
    ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes,
                             reader->Peek(page.offset + size, sizeof(length)));
    if (bytes.size() < sizeof(length)) break;
    std::memcpy(&length, bytes.data(), sizeof(length));
    size += static_cast<int64_t>(sizeof(length)) + length;
  }
  return std::min<int64_t>(size, header.compressed_size);
}

Status LoadLevels(ChunkReader* reader, const ColumnStorage& storage, Page* page) {
  ROWFEED_ASSIGN_OR_RETURN(const int64_t size, LevelsSize(reader, storage, *page));
  if (size == 0) return {};
  ROWFEED_ASSIGN_OR_RETURN(page->body, reader->Load(page->offset, page->offset + size));
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

Result<PageList> ListPages(ChunkReader* reader, const ColumnChunk& chunk,
                           bool are_lists) {
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
  if (num_values != chunk.num_values && !are_lists) {
    return Status::Corrupt("expected ", chunk.num_values,
                           " values by the footer, found ", num_values,
                           " in the pages");
  }
  return pages;
}

namespace {

// Reads the bodies of wanted pages. If `levels_of` is not nullptr, it is the storage of
// an uncompressed column, and of large plain pages only the levels are read.
Status Load(ChunkReader* reader, const ColumnStorage* levels_of, PageList* pages) {
  const bool has_indices =
      std::any_of(pages->data.begin(), pages->data.end(),
                  [](const Page& page) { return page.needs_dictionary(); });
  if (pages->dictionary && has_indices) {
    Page& page = *pages->dictionary;
    const int64_t end = page.offset + page.header.compressed_size;
    ROWFEED_ASSIGN_OR_RETURN(page.body, reader->Load(page.offset, end));
  }
  const auto body_of = [&](const Page& page) {
    return BodyOf(page, /*leaves_values=*/levels_of != nullptr);
  };
  // Pages that lie side by side are read with one read.
  for (auto begin = pages->data.begin(); begin != pages->data.end();) {
    const Body body = body_of(*begin);
    const auto end = std::find_if(begin, pages->data.end(), [&](const Page& page) {
      return body_of(page) != body;
    });
    if (body == Body::kAll) ROWFEED_RETURN_NOT_OK(LoadBodies(reader, begin, end));
    if (body == Body::kLevels) {
      for (Page& page : std::span(begin, end)) {
        ROWFEED_RETURN_NOT_OK(LoadLevels(reader, *levels_of, &page));
      }
    }
    begin = end;
  }
  return {};
}

}  // namespace

Status LoadBodies(ChunkReader* reader, PageList* pages) {
  return Load(reader, /*levels_of=*/nullptr, pages);
}

Status LoadLevels(ChunkReader* reader, const ColumnStorage& storage, PageList* pages) {
  return Load(reader, &storage, pages);
}

}  // namespace rowfeed
