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

// What was asked of a store.
struct FetchCounts {
  int64_t num_requests = 0;  // retries not counted in
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

// Of some columns of a row group, by their index: where their pages lie, if the file
// says so.
struct GroupPages {
  std::map<int, PageLocations> columns;

  // None if it is not known.
  const PageLocations& of(int column) const;
  int64_t bytes_held() const;
};

// Where the pages of one catalog's remote files lie, by their offset indexes, so that
// of a row group of which few rows are wanted not all has to be fetched. Thread-safe.
class RemotePages {
 public:
  RemotePages();

  // Asks the file what is not known yet: for its footer, and for the indexes of the row
  // group. `columns` must be the same each time. An index that is damaged is as good as
  // none. What it cost is added to *counts.
  Result<std::shared_ptr<const GroupPages>> Get(
      const Catalog& catalog, int64_t row_group, const std::vector<int>& columns,
      const RandomAccessFile& file, const Cancelled& cancelled, FetchCounts* counts);

 private:
  LruCache<OffsetIndexes> indexes_;  // by file
  LruCache<GroupPages> groups_;      // by row group
};

// The bytes of a chunk that hold rows [begin_row, end_row) and what is needed to decode
// them; of an unknown chunk all.
std::vector<Extent> ExtentsOfRows(const ColumnChunk& chunk, const PageLocations& pages,
                                  int64_t begin_row, int64_t end_row);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_REMOTE_PAGES_H_
