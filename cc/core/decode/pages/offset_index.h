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

// Says where a file keeps its offset indexes. The offset index of a column chunk says
// where each of its pages lies and with which row the page begins. Catalogs do not
// record these places, as few readers ask for them: the footer is read again, once for
// all chunks of the file.
class OffsetIndexes {
 public:
  // Reads the footer of `file`. Fails with kCorrupt if its digest is not
  // `footer_digest`, which means that the file changed since it was catalogued. Errors
  // name the path.
  static Result<OffsetIndexes> Open(const RandomAccessFile& file,
                                    uint64_t footer_digest);

  // Takes the places from a footer that has been read already. May throw, as all code
  // that calls Arrow's Parquet library may.
  static OffsetIndexes Of(const parquet::FileMetaData& footer);

  // Reads and checks where the pages of one of the file's chunks lie, with one read.
  // The result is empty if the chunk has no offset index, or if it holds lists and was
  // written by a writer that is not known to end pages with rows. Errors do not name
  // path, row group and column.
  Result<PageLocations> Read(const RandomAccessFile& file, const ColumnChunk& chunk,
                             int64_t group_rows) const;

  // The part of the file that Read will read; empty if the chunk has no index.
  Extent ExtentOf(const ColumnChunk& chunk) const;

  int64_t bytes_held() const;

 private:
  std::unordered_map<int64_t, Extent> places_;  // keys are offsets of chunks
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_OFFSET_INDEX_H_
