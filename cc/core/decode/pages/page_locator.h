// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATOR_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATOR_H_

#include <cstdint>
#include <memory>

#include "core/catalog/catalog.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/page_location.h"
#include "core/decode/pages/offset_index.h"
#include "core/lru_cache.h"
#include "core/status.h"

namespace rowfeed {

// Finds out where the pages of a catalog's column chunks lie, by the offset indexes of
// the files. Keeps up to `max_bytes` of what it learned about files, so that few
// footers are read twice. Thread-safe.
class PageLocator {
 public:
  // `catalog` must outlive the locator.
  PageLocator(const Catalog* catalog, int64_t max_bytes)
      : catalog_(catalog), indexes_(max_bytes) {}

  // Gives the locator the offset indexes of a file (its position in the catalog), so
  // that it need not read the file's footer.
  Status Know(int32_t file, OffsetIndexes indexes);

  // Says where the pages of the request's chunk lie; empty if the chunk has no offset
  // index or a damaged one. Errors do not name row group and column.
  Result<PageLocations> Locate(const ChunkRequest& request, int64_t row_group);

  // Like Locate, but empty where the places would not help: if all of the chunk is
  // wanted, or the chunk is read at once in any case (small or remote).
  Result<PageLocations> LocateFew(const ChunkRequest& request, int64_t row_group);

  int64_t bytes() const { return indexes_.bytes(); }

 private:
  const Catalog* const catalog_;
  LruCache<OffsetIndexes> indexes_;  // key: position of the file in the catalog
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATOR_H_
