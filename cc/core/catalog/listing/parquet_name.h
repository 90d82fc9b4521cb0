// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_PARQUET_NAME_H_
#define ROWFEED_CORE_CATALOG_LISTING_PARQUET_NAME_H_

#include <string_view>

namespace rowfeed {

// Whether a file in a directory is taken for Parquet: its name ends in .parquet, .parq
// or .pq, in upper or lower case.
bool IsParquetName(std::string_view name);

// Whether a file that is not taken may still be meant as Parquet by its writer: it has
// such an ending within its name ("x.parquet.gzip", "x.parquet_1", "x.pq.snappy"), or
// no ending but a number, as Hive, Impala and Athena name files ("000000_0"). False for
// what begins with "_" or ".", and for checksums, descriptions and locks that lie
// beside a file ("x.parquet.md5", "x.parquet.json").
bool IsNearlyParquetName(std::string_view name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_PARQUET_NAME_H_
