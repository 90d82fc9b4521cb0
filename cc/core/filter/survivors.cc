// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/survivors.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "core/catalog/try_each.h"
#include "core/filter/pruner.h"
#include "core/filter/row_filter.h"
#include "core/io/file_cache.h"

namespace rowfeed {
namespace {

constexpr size_t kMaxOpenFiles = 64;
constexpr int64_t kKeptBytes = int64_t{64} << 20;  // of recycled memory
constexpr int64_t kMaxLocatorBytes = int64_t{16} << 20;
// Rows between two intervals that are decoded together: less than a page has.
constexpr int64_t kNearRows = 4096;

class Counter {
 public:
  Counter(const Catalog& catalog, const RowFilter& filter, int64_t block_rows,
          Share share, int num_threads, const std::function<bool()>& cancelled)
      : catalog_(catalog),
        filter_(filter),
        block_rows_(block_rows),
        share_(share),
        num_threads_(num_threads),
        cancelled_(cancelled),
        locator_(&catalog, kMaxLocatorBytes),
        candidates_(catalog.row_groups().size()) {
    for (const RowGroup& group : catalog.row_groups()) {
      first_blocks_.push_back(num_blocks_);
      num_blocks_ += NumBlocks(group.rows, block_rows);
    }
  }

  Result<Survivors> Count() {
    counts_.resize(num_blocks_);
    spans_.resize(num_blocks_);
    ROWFEED_RETURN_NOT_OK(ForEach(catalog_.files().size(), [this](size_t file) {
      return Prune(static_cast<int32_t>(file));
    }));
    ROWFEED_RETURN_NOT_OK(ForEach(catalog_.row_groups().size(), [this](size_t group) {
      return CountGroup(static_cast<int64_t>(group));
    }));
    return Survivors{std::make_shared<const Survivors::Counts>(std::move(counts_)),
                     std::move(spans_)};
  }

 private:
  template <typename Function>
  Status ForEach(size_t size, const Function& function) {
    Status status = TryEach(size, num_threads_, [&](size_t i) -> Status {
      if (cancelled_ && !stop_ && cancelled_()) stop_ = true;
      if (stop_) return {StatusCode::kCancelled, "counting was cancelled"};
      return function(i);
    });
    if (status.code() != StatusCode::kCancelled) return status;
    return {StatusCode::kCancelled, "counting was cancelled"};
  }

  CachedFile FileAt(int32_t index) const {
    const CatalogFile& file = catalog_.files()[index];
    return {files_, file.path, file.version(),
            [this] { return stop_ || (cancelled_ && cancelled_()); }};
  }

  Status Prune(int32_t file_index);
  Status CountGroup(int64_t group);
  // Counts rows [begin, end) of a row group, all of which pass.
  void CountAll(int64_t group, Interval rows);
  void CountRows(int64_t group, int64_t begin, const std::vector<uint32_t>& rows);
  void CountRow(int64_t block, int64_t row);

  const Catalog& catalog_;
  const RowFilter& filter_;
  const int64_t block_rows_;
  const Share share_;
  const int num_threads_;
  const std::function<bool()>& cancelled_;
  std::atomic<bool> stop_ = false;
  const std::shared_ptr<FileCache> files_ = std::make_shared<FileCache>(kMaxOpenFiles);
  const std::shared_ptr<BufferPool> buffers_ = BufferPool::Make(kKeptBytes);
  PageLocator locator_;
  std::vector<Candidates> candidates_;  // of each row group
  std::vector<int64_t> first_blocks_;   // of each row group
  int64_t num_blocks_ = 0;
  std::vector<int64_t> counts_;
  std::vector<Interval> spans_;
};

Status Counter::Prune(int32_t file_index) {
  const CachedFile file = FileAt(file_index);
  const auto& groups = catalog_.row_groups();
  const auto of_file = std::equal_range(
      groups.begin(), groups.end(), RowGroup{.file = file_index},
      [](const RowGroup& a, const RowGroup& b) { return a.file < b.file; });
  const bool is_ours = std::any_of(
      of_file.first, of_file.second,
      [&](const RowGroup& group) { return share_.Has(&group - groups.data()); });
  if (!is_ours) return {};
  ROWFEED_ASSIGN_OR_RETURN(Pruner pruner,
                           Pruner::Open(catalog_, file_index, filter_, file));
  bool has_parts = false;
  for (auto group = of_file.first; group != of_file.second; ++group) {
    const int64_t index = group - groups.begin();
    if (!share_.Has(index)) continue;
    Result<Candidates> candidates = pruner.Prune(*group);
    if (!candidates.ok()) {
      return candidates.status().WithContext(catalog_.Where(index) + ": statistics");
    }
    candidates_[index] = *std::move(candidates);
    has_parts = has_parts || candidates_[index].is_part_of(*group);
  }
  if (!has_parts) return {};
  ROWFEED_ASSIGN_OR_RETURN(OffsetIndexes indexes, pruner.ReadOffsetIndexes());
  return locator_.Know(file_index, std::move(indexes));
}

Status Counter::CountGroup(int64_t group) {
  const Candidates& candidates = candidates_[group];
  if (candidates.rows.empty()) return {};
  if (candidates.all_pass) {
    CountAll(group, candidates.rows.front());
    return {};
  }
  const CachedFile file = FileAt(catalog_.row_groups()[group].file);
  for (size_t i = 0; i < candidates.rows.size();) {
    Interval rows = candidates.rows[i++];
    while (i < candidates.rows.size() &&
           candidates.rows[i].begin - rows.end < kNearRows) {
      rows.end = candidates.rows[i++].end;
    }
    ROWFEED_ASSIGN_OR_RETURN(
        const std::vector<uint32_t> selected,
        filter_.Select(catalog_, group, rows, file, &locator_, buffers_, &stop_));
    CountRows(group, rows.begin, selected);
  }
  return {};
}

void Counter::CountAll(int64_t group, Interval rows) {
  const int64_t num_blocks = NumBlocks(rows.size(), block_rows_);
  for (int64_t part = 0; part < num_blocks; ++part) {
    const int64_t block = first_blocks_[group] + part;
    spans_[block] = BlockRows(rows.size(), block_rows_, part);
    counts_[block] = spans_[block].size();
  }
}

void Counter::CountRows(int64_t group, int64_t begin,
                        const std::vector<uint32_t>& rows) {
  const int64_t group_rows = catalog_.row_groups()[group].rows;
  int64_t part = -1;
  int64_t block_end = 0;
  for (const uint32_t selected : rows) {
    const int64_t row = begin + selected;
    while (row >= block_end) {
      block_end = BlockRows(group_rows, block_rows_, ++part).end;
    }
    CountRow(first_blocks_[group] + part, row);
  }
}

void Counter::CountRow(int64_t block, int64_t row) {
  if (counts_[block]++ == 0) spans_[block].begin = row;
  spans_[block].end = row + 1;
}

}  // namespace

int64_t Survivors::num_rows() const {
  return std::accumulate(counts->begin(), counts->end(), int64_t{0});
}

Result<Survivors> CountSurvivors(const Catalog& catalog, const RowFilter& filter,
                                 int64_t block_rows, Share share, int num_threads,
                                 const std::function<bool()>& cancelled) {
  return Counter(catalog, filter, block_rows, share, num_threads, cancelled).Count();
}

}  // namespace rowfeed
