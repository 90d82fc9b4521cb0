// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_OFFSET_INDEX_H_
#define ROWFEED_CORE_DECODE_PAGES_OFFSET_INDEX_H_

#include <cstdint>
#include <unordered_map>

#include "core/catalog/catalog.h"
#include "core/decode/chunk/page_location.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace parquet {
class FileMetaData;
}

namespace rowfeed {

// Where a file keeps its offset indexes, which say where the pages of each chunk lie
// and with which rows they begin. Catalogs do not know, as few readers ask: the footer
// is read again, once for all chunks of the file.
class OffsetIndexes {
 public:
  // The footer must be the one that was catalogued. Errors name the path.
  static Result<OffsetIndexes> Open(const RandomAccessFile& file,
                                    uint64_t footer_digest);

  // The same from a footer that is at hand. As of all that Parquet reads: may throw.
  static OffsetIndexes Of(const parquet::FileMetaData& footer);

  // The pages of one of the file's chunks, checked; none if it has no offset index, or
  // one of lists by a writer that is not known to end pages with rows. One read. Errors
  // do not name path, group and column.
  Result<PageLocations> Read(const RandomAccessFile& file, const ColumnChunk& chunk,
                             int64_t group_rows) const;

  // What Read will read; empty if there is no index.
  Extent ExtentOf(const ColumnChunk& chunk) const;

  int64_t bytes_held() const;

 private:
  std::unordered_map<int64_t, Extent> places_;  // by the offset of the chunk
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_OFFSET_INDEX_H_
