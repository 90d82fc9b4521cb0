// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/index_extents.h"

#include <algorithm>
#include <optional>

namespace rowfeed {
namespace {

bool IsWithin(const parquet::IndexLocation& place, int64_t file_size) {
  return place.offset >= 0 && place.length > 0 && place.offset < file_size &&
         place.length <= file_size - place.offset;
}

void Extend(const parquet::IndexLocation& place, std::optional<Extent>* all) {
  const int64_t end = place.offset + place.length;
  if (!*all) {
    *all = Extent{place.offset, place.length};
    return;
  }
  const int64_t begin = std::min((*all)->offset, place.offset);
  *all = Extent{begin, std::max((*all)->end(), end) - begin};
}

}  // namespace

std::vector<Extent> IndexExtents(const parquet::RowGroupMetaData& group,
                                 const std::vector<int32_t>& leaves, bool with_offsets,
                                 int64_t file_size) {
  std::optional<Extent> bounds;
  std::optional<Extent> offsets;
  for (const int32_t leaf : leaves) {
    const auto chunk = group.ColumnChunk(leaf);
    const auto of_bounds = chunk->GetColumnIndexLocation();
    const auto of_offsets = chunk->GetOffsetIndexLocation();
    if (of_bounds && IsWithin(*of_bounds, file_size)) Extend(*of_bounds, &bounds);
    if (with_offsets && of_offsets && IsWithin(*of_offsets, file_size)) {
      Extend(*of_offsets, &offsets);
    }
  }
  std::vector<Extent> extents;
  if (bounds) extents.push_back(*bounds);
  if (offsets) extents.push_back(*offsets);
  return extents;
}

}  // namespace rowfeed
