// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/page_bounds.h"

#include "core/arrow_status.h"
#include "core/filter/bounds/arrow_file.h"

namespace rowfeed {

parquet::ParquetFileReader& PageBoundsReader::reader() {
  if (!reader_) {
    reader_ = parquet::ParquetFileReader::Open(std::make_shared<ArrowFile>(file_.get()),
                                               parquet::default_reader_properties(),
                                               metadata_);
  }
  return *reader_;
}

Status PageBoundsReader::Fetch(const std::vector<Extent>& extents, bool checks) {
  file_->Keep({tail_});
  std::vector<Extent> missing;
  for (const Extent& extent : extents) {
    if (extent.offset < tail_.extent.offset) missing.push_back(extent);
  }
  if (missing.empty() || !file_->is_remote()) return {};
  ROWFEED_ASSIGN_OR_RETURN(auto fetched, source_->Fetch(missing, nullptr, {}));
  if (checks) ROWFEED_RETURN_NOT_OK(source_->CheckUnchanged({}));
  fetched.push_back(tail_);  // it begins behind the others, and ends with the file
  file_->Keep(std::move(fetched));
  return {};
}

Status PageBoundsReader::Announce(const RowGroup& group,
                                  const std::vector<int32_t>& leaves) {
  if (leaves.empty() || latest_group_ == group.index) return {};
  return CatchParquet([&]() -> Status {
    const auto indexes = reader().GetPageIndexReader();
    if (indexes) indexes->WillNeed({group.index}, leaves, {true, true});
    return {};
  });
}

parquet::RowGroupPageIndexReader* PageBoundsReader::IndexesOf(const RowGroup& group) {
  if (latest_group_ != group.index) {
    const auto indexes = reader().GetPageIndexReader();
    latest_ = indexes ? indexes->RowGroup(group.index) : nullptr;
    latest_group_ = group.index;
  }
  return latest_.get();
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

Result<std::optional<std::string>> PageBoundsReader::FindLie(
    const RowGroup& group, int leaf, const TrustedBounds& trusted,
    const Bounds& chunk) {
  auto lie = CatchParquet([&]() -> Result<std::optional<std::string>> {
    auto* const of_group = IndexesOf(group);
    const auto index = of_group ? of_group->GetColumnIndex(leaf) : nullptr;
    return index ? trusted.FindLie(*index, chunk) : std::nullopt;
  });
  if (lie.status().code() == StatusCode::kCorrupt) return std::optional<std::string>();
  return lie;
}

std::optional<PageBounds> PageBoundsReader::TryRead(const RowGroup& group, int leaf,
                                                    const TrustedBounds& trusted,
                                                    const Bounds& chunk) {
  auto* const of_group = IndexesOf(group);
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
