// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/remote_pages.h"

#include <algorithm>
#include <utility>

#include "core/decode/pages/chunk_reader.h"
#include "core/io/fetched_file.h"
#include "core/stream/stats/timed_file.h"

namespace rowfeed {
namespace {

constexpr int64_t kMaxBytes = int64_t{16} << 20;  // the limit of each of the two caches

Result<std::shared_ptr<const OffsetIndexes>> ReadPlaces(const RandomAccessFile& file,
                                                        uint64_t footer_digest,
                                                        FetchCounts* counts) {
  const TimedFile counted(&file);
  auto indexes = OffsetIndexes::Open(counted, footer_digest);
  const TimedFile::Reads reads = counted.Take();
  counts->num_requests += reads.num_reads;
  counts->bytes += reads.bytes;
  if (!indexes.ok()) return indexes.status();
  return std::make_shared<const OffsetIndexes>(*std::move(indexes));
}

}  // namespace

const PageLocations& GroupPages::of(int column) const {
  static const PageLocations* const none = new PageLocations;
  const auto found = columns.find(column);
  return found == columns.end() ? *none : found->second;
}

int64_t GroupPages::bytes_held() const {
  constexpr size_t kNodeBytes = 80;  // about the size of a node of std::map
  size_t bytes = sizeof(*this);
  for (const auto& [column, pages] : columns) {
    bytes += kNodeBytes + pages.capacity() * sizeof(PageLocation);
  }
  return static_cast<int64_t>(bytes);
}

RemotePages::RemotePages() : indexes_(kMaxBytes), groups_(kMaxBytes) {}

Result<std::shared_ptr<const GroupPages>> RemotePages::Get(
    const Catalog& catalog, int64_t row_group, const std::vector<int>& columns,
    const RandomAccessFile& file, const Cancelled& cancelled, FetchCounts* counts) {
  return groups_.GetOrMake(
      row_group, [&]() -> Result<std::shared_ptr<const GroupPages>> {
        const RowGroup& group = catalog.row_groups()[row_group];
        const uint64_t digest = catalog.files()[group.file].footer_digest;
        ROWFEED_ASSIGN_OR_RETURN(const auto indexes,
                                 indexes_.GetOrMake(group.file, [&] {
                                   return ReadPlaces(file, digest, counts);
                                 }));
        std::vector<Extent> extents;
        for (const int column : columns) {
          const Extent extent = indexes->ExtentOf(catalog.chunk(row_group, column));
          if (CheckExtent(file, extent).ok()) extents.push_back(extent);
        }
        ROWFEED_ASSIGN_OR_RETURN(auto fetched, file.Fetch(extents, nullptr, cancelled));
        ROWFEED_RETURN_NOT_OK(file.CheckUnchanged(cancelled));
        counts->Add(fetched);
        FetchedFile in_memory(&file);
        in_memory.Keep(std::move(fetched));
        auto pages = std::make_shared<GroupPages>();
        for (const int column : columns) {
          auto located =
              indexes->Read(in_memory, catalog.chunk(row_group, column), group.rows);
          if (located.ok()) pages->columns[column] = *std::move(located);
        }
        return std::shared_ptr<const GroupPages>(std::move(pages));
      });
}

std::vector<Extent> ExtentsOfRows(const ColumnChunk& chunk, const PageLocations& pages,
                                  int64_t begin_row, int64_t end_row) {
  if (pages.empty()) return {{chunk.offset, chunk.size}};
  const auto behind = [](int64_t row, const PageLocation& page) {
    return row < page.first_row;
  };
  const PageLocation& first =
      *std::prev(std::upper_bound(pages.begin(), pages.end(), begin_row, behind));
  const PageLocation& last =
      *std::prev(std::upper_bound(pages.begin(), pages.end(), end_row - 1, behind));
  const auto extent = [&](int64_t begin, int64_t end) -> Extent {
    return {chunk.offset + begin, std::min(end, chunk.size) - begin};
  };
  // The decoder reads kPeekSize bytes to parse a page header, even if that is more than
  // the header and its page have.
  const int64_t end = last.offset + std::max(last.size, ChunkReader::kPeekSize);
  if (pages.front().offset == 0) return {extent(first.offset, end)};
  const int64_t dictionary = std::max(pages.front().offset, ChunkReader::kPeekSize);
  return {extent(0, dictionary), extent(first.offset, end)};
}

}  // namespace rowfeed
