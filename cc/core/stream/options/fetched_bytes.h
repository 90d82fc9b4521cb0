// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_FETCHED_BYTES_H_
#define ROWFEED_CORE_STREAM_OPTIONS_FETCHED_BYTES_H_

#include <cstdint>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/io/coalesce.h"

namespace rowfeed {

// Bytes of the pages of a piece that is a part of its row group, by those of its rows,
// about: pages reach beyond it.
inline constexpr double kPagesPerRow = 2;

// Where the chunks of these columns of a row group lie, in the order of the columns;
// none of a local file, of which nothing is fetched.
std::vector<Extent> FetchedChunks(const Catalog& catalog, int64_t row_group,
                                  const std::vector<int>& columns);

// The bytes of the requests that fetch so many extents, with the gaps that are fetched
// along.
int64_t RequestBytes(const std::vector<Extent>& extents);

// The bytes of a remote file that are fetched for these columns of a row group; 0 of a
// local file.
int64_t FetchedBytes(const Catalog& catalog, int64_t row_group,
                     const std::vector<int>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_FETCHED_BYTES_H_
