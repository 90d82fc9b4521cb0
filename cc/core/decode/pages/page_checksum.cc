// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_checksum.h"

#include <algorithm>

#include "core/decode/pages/crc32.h"

namespace rowfeed {
namespace {

Status CheckMatch(const Page& page, uint32_t found, int64_t chunk_offset) {
  const auto expected = static_cast<uint32_t>(*page.header.checksum);
  if (found == expected) return {};
  const bool is_dictionary = page.header.type == PageHeader::kDictionary;
  return Status::Corrupt("the ", is_dictionary ? "dictionary page" : "page",
                         " at byte ", chunk_offset + page.header_offset,
                         " of the file does not match its checksum: its ",
                         page.header.compressed_size, " bytes have ", found,
                         ", expected ", expected);
}

Status VerifyInFile(const Page& page, ChunkReader* reader) {
  constexpr int64_t kPieceBytes = int64_t{128} << 10;
  if (!page.header.checksum) return {};
  const int64_t end = page.offset + page.header.compressed_size;
  uint32_t checksum = 0;
  for (int64_t at = page.offset; at < end;) {
    const int64_t size = std::min(end - at, kPieceBytes);
    ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes, reader->Peek(at, size, size));
    checksum = Crc32(checksum, bytes.data(), size);
    at += size;
  }
  return CheckMatch(page, checksum, reader->offset());
}

}  // namespace

Status VerifyPage(const Page& page, int64_t chunk_offset) {
  if (!page.header.checksum) return {};
  return CheckMatch(page, Crc32(0, page.body.data(), page.body.size()), chunk_offset);
}

Status VerifyPagesInFile(const PageList& pages, ChunkReader* reader) {
  const auto needs_dictionary = [](const Page& page) {
    return page.needs_dictionary();
  };
  if (pages.dictionary &&
      std::any_of(pages.data.begin(), pages.data.end(), needs_dictionary)) {
    ROWFEED_RETURN_NOT_OK(VerifyInFile(*pages.dictionary, reader));
  }
  for (const Page& page : pages.data) {
    if (page.is_wanted) ROWFEED_RETURN_NOT_OK(VerifyInFile(page, reader));
  }
  return {};
}

}  // namespace rowfeed
