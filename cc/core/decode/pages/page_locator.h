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

// Finds the pages of a catalog's chunks by the offset indexes of their files, the
// places of which are kept. Thread-safe.
class PageLocator {
 public:
  // `catalog` must outlive it.
  PageLocator(const Catalog* catalog, int64_t max_bytes)
      : catalog_(catalog), indexes_(max_bytes) {}

  // What is known of a file, so that its footer need not be read again.
  Status Know(int32_t file, OffsetIndexes indexes);

  // The pages of the chunk; none without an offset index. Errors do not name row group
  // and column.
  Result<PageLocations> Locate(const ChunkRequest& request, int64_t row_group);

  // The same where it pays: none if all of the chunk is wanted, or is read at once
  // whatever is.
  Result<PageLocations> LocateFew(const ChunkRequest& request, int64_t row_group);

  int64_t bytes() const { return indexes_.bytes(); }

 private:
  const Catalog* const catalog_;
  LruCache<OffsetIndexes> indexes_;  // by file
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATOR_H_
