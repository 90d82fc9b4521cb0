// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PARQUET_NAME_H_
#define ROWFEED_CORE_CATALOG_PARQUET_NAME_H_

#include <string_view>

namespace rowfeed {

// Whether a file in a directory is taken: its name ends in .parquet, .parq or .pq, in
// either case.
bool IsParquetName(std::string_view name);

// Whether a file that is not taken is one that its writer may have meant as Parquet: it
// has such an ending within its name ("x.parquet.gzip", "x.parquet_1", "x.pq.snappy").
// Checksums, descriptions and locks beside a file ("x.parquet.md5", "x.parquet.json")
// are not meant.
bool IsNearlyParquetName(std::string_view name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PARQUET_NAME_H_
