// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_FETCHED_BYTES_H_
#define ROWFEED_CORE_STREAM_OPTIONS_FETCHED_BYTES_H_

#include <cstdint>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/io/coalesce.h"

namespace rowfeed {

// About how many bytes of pages are fetched for each byte of wanted rows, for a piece
// that is smaller than its row group: pages reach beyond the piece.
inline constexpr double kPagesPerRow = 2;

// Returns where the chunks of these columns of a row group lie, in the order of the
// columns. Empty for a local file, of which nothing is fetched.
std::vector<Extent> FetchedChunks(const Catalog& catalog, int64_t row_group,
                                  const std::vector<int>& columns);

// Returns how many requests fetch the chunks of these columns of a row group; 0 for a
// local file.
int64_t NumFetches(const Catalog& catalog, int64_t row_group,
                   const std::vector<int>& columns);

// Returns how many bytes are requested to fetch these extents. Gaps that are fetched
// along are included.
int64_t RequestBytes(const std::vector<Extent>& extents);

// Returns how many bytes of a remote file are fetched for these columns of a row group;
// 0 for a local file.
int64_t FetchedBytes(const Catalog& catalog, int64_t row_group,
                     const std::vector<int>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_FETCHED_BYTES_H_
