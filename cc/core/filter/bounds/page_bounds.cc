// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/page_bounds.h"

#include "core/arrow_status.h"
#include "core/filter/bounds/arrow_file.h"
#include "parquet/page_index.h"

namespace rowfeed {

parquet::ParquetFileReader& PageBoundsReader::reader() {
  if (!reader_) {
    reader_ = parquet::ParquetFileReader::Open(std::make_shared<ArrowFile>(file_),
                                               parquet::default_reader_properties(),
                                               metadata_);
  }
  return *reader_;
}

Status PageBoundsReader::Announce(const RowGroup& group,
                                  const std::vector<int32_t>& leaves) {
  if (leaves.empty()) return {};
  return CatchParquet([&]() -> Status {
    const auto indexes = reader().GetPageIndexReader();
    if (indexes) indexes->WillNeed({group.index}, leaves, {true, true});
    return {};
  });
}

Result<std::optional<PageBounds>> PageBoundsReader::Read(const RowGroup& group,
                                                         int leaf,
                                                         const TrustedBounds& trusted,
                                                         const Bounds& chunk) {
  auto pages = CatchParquet([&]() -> Result<std::optional<PageBounds>> {
    return TryRead(group, leaf, trusted, chunk);
  });
  if (pages.status().code() == StatusCode::kCorrupt) return std::optional<PageBounds>();
  return pages;
}

std::optional<PageBounds> PageBoundsReader::TryRead(const RowGroup& group, int leaf,
                                                    const TrustedBounds& trusted,
                                                    const Bounds& chunk) {
  const auto indexes = reader().GetPageIndexReader();
  const auto of_group = indexes ? indexes->RowGroup(group.index) : nullptr;
  if (!of_group) return std::nullopt;
  const auto index = of_group->GetColumnIndex(leaf);
  const auto offsets = of_group->GetOffsetIndex(leaf);
  if (!index || !offsets) return std::nullopt;
  auto rows = RowsOfPages(offsets->page_locations(), group.rows);
  if (!rows) return std::nullopt;
  auto bounds = trusted.OfPages(*index, *rows, chunk);
  if (!bounds) return std::nullopt;
  return PageBounds{*std::move(rows), *std::move(bounds)};
}

}  // namespace rowfeed
