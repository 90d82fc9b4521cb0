// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/stats/counted_columns.h"

#include <array>
#include <cstddef>

namespace rowfeed {
namespace {

// The names of codecs, by their numbers in the Parquet format. "" is no compression.
constexpr std::array<const char*, 8> kCodecs = {"",       "snappy", "gzip", "lzo",
                                                "brotli", "lz4",    "zstd", "lz4"};

std::string CodecOf(const ResolvedColumn& column, const Catalog& catalog) {
  if (!column.index || catalog.row_groups().empty()) return {};
  const size_t codec = catalog.chunk(0, *column.index).codec;
  return codec < kCodecs.size() ? kCodecs[codec] : "";
}

}  // namespace

std::vector<CountedColumn> CountedColumns(const std::vector<ResolvedColumn>& columns,
                                          const Catalog& catalog) {
  std::vector<CountedColumn> counted;
  counted.reserve(columns.size());
  for (const ResolvedColumn& column : columns) {
    counted.push_back({column.column.name, CodecOf(column, catalog)});
  }
  return counted;
}

}  // namespace rowfeed
