// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_locator.h"

#include <utility>

namespace rowfeed {
namespace {

using IndexesPtr = std::shared_ptr<const OffsetIndexes>;

// Chunks of at most this many bytes are read whole: one read costs less than finding
// out which pages can be left out.
constexpr int64_t kSmallChunk = int64_t{32} << 10;

bool PaysToLocate(const ChunkRequest& request) {
  // Chunks of remote files are in memory already, or are fetched with one request.
  return !request.wants_all() && !request.constant && !request.file->is_remote() &&
         request.chunk.size > kSmallChunk;
}

}  // namespace

Status PageLocator::Know(int32_t file, OffsetIndexes indexes) {
  const auto give = [&]() -> Result<IndexesPtr> {
    return std::make_shared<const OffsetIndexes>(std::move(indexes));
  };
  return indexes_.GetOrMake(file, give).status();
}

Result<PageLocations> PageLocator::Locate(const ChunkRequest& request,
                                          int64_t row_group) {
  const int32_t file = catalog_->row_groups()[row_group].file;
  const auto open = [&]() -> Result<IndexesPtr> {
    ROWFEED_ASSIGN_OR_RETURN(
        OffsetIndexes indexes,
        OffsetIndexes::Open(*request.file, catalog_->files()[file].footer_digest));
    return std::make_shared<const OffsetIndexes>(std::move(indexes));
  };
  ROWFEED_ASSIGN_OR_RETURN(const IndexesPtr indexes, indexes_.GetOrMake(file, open));
  Result<PageLocations> pages =
      indexes->Read(*request.file, request.chunk, request.group_rows);
  // A damaged index is no error here: the pages themselves may be sound, and their
  // headers tell where they lie.
  if (pages.status().code() == StatusCode::kCorrupt) return PageLocations();
  return pages;
}

Result<PageLocations> PageLocator::LocateFew(const ChunkRequest& request,
                                             int64_t row_group) {
  return PaysToLocate(request) ? Locate(request, row_group) : PageLocations();
}

}  // namespace rowfeed
