// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_TRUSTED_BOUNDS_H_
#define ROWFEED_CORE_FILTER_BOUNDS_TRUSTED_BOUNDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/filter/bounds/bound_order.h"
#include "core/filter/bounds/bounds.h"
#include "core/filter/bounds/faulty_writers.h"
#include "core/plan/blocks.h"
#include "parquet/metadata.h"
#include "parquet/page_index.h"
#include "parquet/size_statistics.h"

namespace rowfeed {

// Decides which statements of a file about one column are believed. All rules are here,
// each with its source. A statement that breaks a rule is ignored: that costs reads,
// but never rows.
class TrustedBounds {
 public:
  // `leaf` is the number of the column in the file's schema. `metadata` must outlive
  // this object.
  TrustedBounds(const parquet::FileMetaData& metadata, int leaf);

  // Returns the statistics of the column's chunk in a row group, as far as they are
  // believed.
  Bounds OfChunk(const parquet::RowGroupMetaData& group) const;

  // Returns what is believed about each page, by the column index of a column with one
  // value per row. `chunk` is the result of OfChunk. nullopt: the index is not believed
  // at all, as it contradicts itself, the rows of the pages or `chunk`.
  std::optional<std::vector<Bounds>> OfPages(const parquet::ColumnIndex& index,
                                             const std::vector<Interval>& page_rows,
                                             const Bounds& chunk) const;

  // Returns in words how the column index shows that `chunk`, the result of OfChunk,
  // may be false (chunk_lie.h); nullopt: it does not.
  std::optional<std::string> FindLie(const parquet::ColumnIndex& index,
                                     const Bounds& chunk) const;

  bool has_trusted_blooms() const { return !faults_.bloom_filters; }

 private:
  Bounds ReadChunk(const parquet::ColumnChunkMetaData& chunk, int64_t rows) const;
  // Whether the bytes that all values of a chunk of strings have together leave it
  // possible that all of them are equal, if `bounds` say so.
  bool HasBytesOfOneValue(const Bounds& bounds,
                          const parquet::SizeStatistics& sizes) const;
  // Removes bounds that cannot be used. Returns false if the statements contradict each
  // other.
  bool Clean(Bounds* bounds) const;
  std::optional<Bounds> OfPage(const parquet::ColumnIndex& index, size_t page,
                               int64_t rows) const;
  bool AreInOrder(parquet::BoundaryOrder::type order,
                  const std::vector<Bounds>& pages) const;
  bool Agree(const std::vector<Bounds>& pages, const Bounds& chunk) const;

  const parquet::FileMetaData* metadata_;
  const parquet::ColumnDescriptor* column_;
  int leaf_;
  WriterFaults faults_;
  BoundOrder order_;
};

// Returns the rows of each page of a row group; nullopt if the locations contradict
// each other.
std::optional<std::vector<Interval>> RowsOfPages(
    const std::vector<parquet::PageLocation>& pages, int64_t group_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_TRUSTED_BOUNDS_H_
