// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_REMOTE_PAGES_H_
#define ROWFEED_CORE_STREAM_WINDOW_REMOTE_PAGES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/chunk/page_location.h"
#include "core/decode/pages/offset_index.h"
#include "core/io/random_access_file.h"
#include "core/lru_cache.h"
#include "core/status.h"

namespace rowfeed {

// What was requested from a remote store.
struct FetchCounts {
  int64_t num_requests = 0;  // without retries
  int64_t num_retries = 0;
  int64_t bytes = 0;

  void Add(const std::vector<FetchedExtent>& fetched) {
    for (const FetchedExtent& extent : fetched) {
      ++num_requests;
      num_retries += extent.num_retries;
      bytes += extent.extent.size;
    }
  }
};

// Where the pages of some columns of one row group lie, by column index. A column is
// missing here if its offset index could not be read.
struct GroupPages {
  std::map<int, PageLocations> columns;

  // Returns the pages of a column; empty if they are not known.
  const PageLocations& of(int column) const;
  int64_t bytes_held() const;
};

// Knows where the pages of one catalog's remote files lie, from the files' offset
// indexes. If few rows of a row group are wanted, only the pages with these rows need
// to be fetched. Thread-safe.
class RemotePages {
 public:
  RemotePages();

  // Returns the pages of `columns` in a row group. What is not known yet is read from
  // the file: its footer, and the offset indexes of the row group. `columns` must be
  // the same in every call. A damaged index counts as missing. The requests are added
  // to *counts.
  Result<std::shared_ptr<const GroupPages>> Get(
      const Catalog& catalog, int64_t row_group, const std::vector<int>& columns,
      const RandomAccessFile& file, const Cancelled& cancelled, FetchCounts* counts);

 private:
  LruCache<OffsetIndexes> indexes_;  // keyed by file
  LruCache<GroupPages> groups_;      // keyed by row group
};

// Returns the parts of a chunk that hold rows [begin_row, end_row) and what is needed
// to decode them, such as the dictionary. Empty `pages`: returns the whole chunk.
std::vector<Extent> ExtentsOfRows(const ColumnChunk& chunk, const PageLocations& pages,
                                  int64_t begin_row, int64_t end_row);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_REMOTE_PAGES_H_
