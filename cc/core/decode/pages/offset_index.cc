// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/offset_index.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/arrow_status.h"
#include "core/catalog/chunks.h"
#include "core/catalog/footer.h"
#include "core/decode/pages/page_locations.h"
#include "parquet/metadata.h"
#include "parquet/page_index.h"
#include "parquet/properties.h"

namespace rowfeed {

Result<OffsetIndexes> OffsetIndexes::Open(const RandomAccessFile& file,
                                          uint64_t footer_digest) {
  ROWFEED_ASSIGN_OR_RETURN(const Footer footer, ReadFooter(file));
  if (footer.digest != footer_digest) {
    return Status::Corrupt(file.path(), " changed since it was catalogued: another ",
                           "footer");
  }
  return CatchParquet([&]() -> Result<OffsetIndexes> { return Of(*footer.metadata); });
}

namespace {

// Whether this writer ends the pages of list columns at the end of a row, as the format
// demands where there is an offset index. Some writers let a list go on in the next
// page: for instance arrow-go until 2026, ClickHouse until 2025 and parquet-rs until
// 2023.
bool EndsPagesWithRows(const parquet::ApplicationVersion& writer) {
  const std::string& name = writer.application_;
  return name == "parquet-cpp-arrow" || name == "parquet-mr" ||
         (name == "parquet-rs" && writer.version.major >= 41);
}

}  // namespace

OffsetIndexes OffsetIndexes::Of(const parquet::FileMetaData& footer) {
  OffsetIndexes indexes;
  const bool has_lists = EndsPagesWithRows(footer.writer_version());
  for (int group = 0; group < footer.num_row_groups(); ++group) {
    const auto row_group = footer.RowGroup(group);
    for (int leaf = 0; leaf < row_group->num_columns(); ++leaf) {
      const bool is_list = footer.schema()->Column(leaf)->max_repetition_level() > 0;
      if (is_list && !has_lists) continue;
      const auto chunk = row_group->ColumnChunk(leaf);
      const auto place = chunk->GetOffsetIndexLocation();
      if (!place) continue;
      indexes.places_[ChunkOffset(*chunk)] = {place->offset, place->length};
    }
  }
  return indexes;
}

Result<PageLocations> OffsetIndexes::Read(const RandomAccessFile& file,
                                          const ColumnChunk& chunk,
                                          int64_t group_rows) const {
  PageLocations pages;
  const auto [offset, size] = ExtentOf(chunk);
  if (size == 0) return pages;
  if (offset < 0 || size < 1 || size > file.size() || offset > file.size() - size) {
    return Status::Corrupt("an offset index of ", size, " bytes at ", offset,
                           " is claimed, but the file has ", file.size());
  }
  std::vector<uint8_t> bytes(size);
  ROWFEED_RETURN_NOT_OK(file.ReadAt(offset, size, bytes.data()));
  const auto read = [&]() -> Result<PageLocations> {
    parquet::ReaderProperties properties;
    const auto limit = static_cast<int32_t>(std::min<int64_t>(size, INT32_MAX));
    properties.set_thrift_string_size_limit(limit);
    properties.set_thrift_container_size_limit(limit);
    const auto index = parquet::OffsetIndex::Make(bytes.data(), size, properties);
    for (const parquet::PageLocation& page : index->page_locations()) {
      // Negative offsets are invalid. Clamped, so that the subtraction cannot overflow;
      // CheckPageLocations then refuses them.
      const int64_t page_offset = std::max<int64_t>(page.offset, -1);
      pages.push_back({page_offset - chunk.offset, page.compressed_page_size,
                       page.first_row_index});
    }
    return pages;
  };
  const Result<PageLocations> result = CatchParquet(read);
  Status status = result.status();
  if (status.ok()) status = CheckPageLocations(pages, chunk, group_rows);
  if (!status.ok()) return status.WithContext("the offset index");
  return pages;
}

Extent OffsetIndexes::ExtentOf(const ColumnChunk& chunk) const {
  const auto found = places_.find(chunk.offset);
  return found == places_.end() ? Extent{} : found->second;
}

int64_t OffsetIndexes::bytes_held() const {
  constexpr int64_t kNodeBytes = 48;  // about the size of an entry of the map
  return static_cast<int64_t>(places_.size()) * kNodeBytes;
}

}  // namespace rowfeed
