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

std::string CodecOf(const FeatureSource& feature, const Catalog& catalog) {
  if (!feature.index || catalog.row_groups().empty()) return {};
  const size_t codec = catalog.chunk(0, *feature.index).codec;
  return codec < kCodecs.size() ? kCodecs[codec] : "";
}

}  // namespace

std::vector<CountedColumn> CountedColumns(const std::vector<FeatureSource>& features,
                                          const Catalog& catalog) {
  std::vector<CountedColumn> columns;
  columns.reserve(features.size());
  for (const FeatureSource& feature : features) {
    columns.push_back({feature.column.name, CodecOf(feature, catalog)});
  }
  return columns;
}

}  // namespace rowfeed
