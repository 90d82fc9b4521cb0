// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/survivors.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "core/filter/bounds/bounds_check.h"
#include "core/filter/expression/row_filter.h"
#include "core/filter/file_candidates.h"
#include "core/filter/pruner.h"
#include "core/io/file_cache.h"
#include "core/try_each.h"

namespace rowfeed {
namespace {

constexpr size_t kMaxOpenFiles = 64;
constexpr int64_t kKeptBytes = int64_t{64} << 20;  // memory that is kept for reuse
constexpr int64_t kMaxLocatorBytes = int64_t{16} << 20;
// Two intervals of rows with fewer rows than this between them are decoded together:
// such a gap is smaller than a page.
constexpr int64_t kNearRows = 4096;
// Files are counted together until they have this many row groups: the candidates of
// all of these are in memory at once.
constexpr int64_t kGroupsAtOnce = 4096;

class Counter {
 public:
  Counter(const Catalog& catalog, const RowFilter& filter, const CountOptions& options,
          const std::function<bool()>& cancelled)
      : catalog_(catalog),
        filter_(filter),
        options_(options),
        cancelled_(cancelled),
        locator_(&catalog, kMaxLocatorBytes),
        writers_(catalog.files().size()) {
    int64_t num_blocks = 0;
    for (const RowGroup& group : catalog.row_groups()) {
      first_blocks_.push_back(num_blocks);
      num_blocks += NumBlocks(group.rows, options.block_rows);
    }
    counts_.resize(num_blocks);
    spans_.resize(num_blocks);
    decided_.resize(first_blocks_.size());
  }

  // Counts all files, some at a time, as what is believed about pages is kept until
  // they are counted.
  Status CountFiles() {
    const auto num_files = static_cast<int32_t>(catalog_.files().size());
    for (int32_t first = 0; first < num_files;) {
      int32_t end = first + 1;
      while (end < num_files && FirstGroup(end) - FirstGroup(first) < kGroupsAtOnce) {
        ++end;
      }
      ROWFEED_RETURN_NOT_OK(CountFiles(first, end));
      first = end;
    }
    return {};
  }

  // Counts the row groups of a file that are in the share again, by their values alone.
  Status Recount(int32_t file);

  // Begins with what another counter has counted.
  void Take(const Survivors& counted) {
    counts_ = *counted.counts;
    spans_ = counted.spans;
  }

  Survivors Finish() {
    std::sort(lying_files_.begin(), lying_files_.end(),
              [](const LyingFile& a, const LyingFile& b) { return a.file < b.file; });
    DecidedRows decided;
    for (const DecidedRows& of_group : decided_) decided.Add(of_group);
    return {std::make_shared<const Survivors::Counts>(std::move(counts_)),
            std::move(spans_), std::move(lying_files_), decided};
  }

 private:
  template <typename Function>
  Status ForEach(size_t size, const Function& function) {
    Status status = TryEach(size, options_.num_threads, [&](size_t i) -> Status {
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

  int64_t FirstGroup(int32_t file) const {
    const auto& groups = catalog_.row_groups();
    return std::partition_point(
               groups.begin(), groups.end(),
               [file](const RowGroup& group) { return group.file < file; }) -
           groups.begin();
  }

  Status CountFiles(int32_t first, int32_t end);
  // Finds the candidates of a file's row groups. (*candidates)[0] belongs to row group
  // `first_group`.
  Status Prune(int32_t file_index, int64_t first_group,
               std::vector<Candidates>* candidates);
  // Counts which of the candidates pass.
  Status CountGroup(int64_t group, const Candidates& candidates);
  // Notes what decided about the rows of a row group.
  void NoteDecided(int64_t group, const Candidates& candidates);
  void NoteLie(int64_t group, const BoundsCheck::Lie& lie);
  // Counts rows [begin, end) of a row group, all of which pass.
  void CountAll(int64_t group, Interval rows);
  void CountRows(int64_t group, int64_t begin, const std::vector<uint32_t>& rows);
  void CountRow(int64_t block, int64_t row);

  const Catalog& catalog_;
  const RowFilter& filter_;
  const CountOptions options_;
  const std::function<bool()>& cancelled_;
  std::atomic<bool> stop_ = false;
  const std::shared_ptr<FileCache> files_ = std::make_shared<FileCache>(kMaxOpenFiles);
  const std::shared_ptr<BufferPool> buffers_ = BufferPool::Make(kKeptBytes);
  PageLocator locator_;
  std::vector<std::string> writers_;   // writer of each file, once its footer is read
  std::vector<int64_t> first_blocks_;  // first block of each row group
  std::vector<int64_t> counts_;
  std::vector<Interval> spans_;
  std::vector<DecidedRows> decided_;  // for each row group
  std::mutex mutex_;                  // guards lying_files_
  std::vector<LyingFile> lying_files_;
};

Status Counter::CountFiles(int32_t first, int32_t end) {
  const int64_t begin = FirstGroup(first);
  std::vector<Candidates> candidates(FirstGroup(end) - begin);
  ROWFEED_RETURN_NOT_OK(ForEach(end - first, [&](size_t i) {
    return Prune(first + static_cast<int32_t>(i), begin, &candidates);
  }));
  ROWFEED_RETURN_NOT_OK(ForEach(candidates.size(), [&](size_t i) {
    return CountGroup(begin + static_cast<int64_t>(i), candidates[i]);
  }));
  for (size_t i = 0; i < lying_files_.size(); ++i) {
    const int32_t file = lying_files_[i].file;
    if (file >= first) ROWFEED_RETURN_NOT_OK(Recount(file));
  }
  return {};
}

Status Counter::Recount(int32_t file) {
  const int64_t begin = FirstGroup(file);
  const CachedFile opened = FileAt(file);
  ROWFEED_ASSIGN_OR_RETURN(Pruner pruner, Pruner::Open(catalog_, file, filter_, opened,
                                                       /*uses_statistics=*/false));
  return ForEach(FirstGroup(file + 1) - begin, [&](size_t i) -> Status {
    const int64_t group = begin + static_cast<int64_t>(i);
    if (!options_.share.Has(group)) return {};
    const RowGroup& rows = catalog_.row_groups()[group];
    const int64_t block = first_blocks_[group];
    const int64_t end = block + NumBlocks(rows.rows, options_.block_rows);
    std::fill(counts_.begin() + block, counts_.begin() + end, 0);
    std::fill(spans_.begin() + block, spans_.begin() + end, Interval{});
    ROWFEED_ASSIGN_OR_RETURN(const Candidates candidates, pruner.Prune(rows));
    return CountGroup(group, candidates);
  });
}

Status Counter::Prune(int32_t file_index, int64_t first_group,
                      std::vector<Candidates>* candidates) {
  const CachedFile file = FileAt(file_index);
  std::vector<int64_t> groups;
  const int64_t end = FirstGroup(file_index + 1);
  for (int64_t group = FirstGroup(file_index); group < end; ++group) {
    if (options_.share.Has(group)) groups.push_back(group);
  }
  if (groups.empty()) return {};
  ROWFEED_ASSIGN_OR_RETURN(Pruner pruner, Pruner::Open(catalog_, file_index, filter_,
                                                       file, options_.use_statistics));
  writers_[file_index] = pruner.created_by();
  ROWFEED_ASSIGN_OR_RETURN(FileCandidates found,
                           FindCandidates(catalog_, groups, &pruner));
  if (found.found) {  // the file is counted again, without statistics
    NoteLie(found.found->group, found.found->lie);
    return {};
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    (*candidates)[groups[i] - first_group] = std::move(found.candidates[i]);
  }
  if (!found.has_parts) return {};
  ROWFEED_ASSIGN_OR_RETURN(OffsetIndexes indexes, pruner.ReadOffsetIndexes());
  return locator_.Know(file_index, std::move(indexes));
}

void Counter::NoteDecided(int64_t group, const Candidates& candidates) {
  int64_t num_read = 0;
  if (!candidates.all_pass) {
    for (const Interval& rows : candidates.rows) num_read += rows.size();
  }
  decided_[group] = {};
  decided_[group][DecidedBy::kValues] = num_read;
  decided_[group][candidates.by] += catalog_.row_groups()[group].rows - num_read;
}

Status Counter::CountGroup(int64_t group, const Candidates& candidates) {
  if (!options_.share.Has(group)) return {};
  NoteDecided(group, candidates);
  if (candidates.rows.empty()) return {};
  if (candidates.all_pass) {
    CountAll(group, candidates.rows.front());
    return {};
  }
  const RowGroup& row_group = catalog_.row_groups()[group];
  const CachedFile file = FileAt(row_group.file);
  BoundsCheck check(*filter_.schema(), candidates.believed, file, row_group.rows);
  const auto look = [&](size_t column, int64_t begin, const arrow::Array& values) {
    check.Look(column, begin, values);
  };
  for (size_t i = 0; i < candidates.rows.size();) {
    Interval rows = candidates.rows[i++];
    while (i < candidates.rows.size() &&
           candidates.rows[i].begin - rows.end < kNearRows) {
      rows.end = candidates.rows[i++].end;
    }
    ROWFEED_ASSIGN_OR_RETURN(
        const std::vector<uint32_t> selected,
        filter_.Select(catalog_, group, rows, file, &locator_, buffers_, &stop_,
                       candidates.believed.empty() ? RowFilter::Look() : look));
    CountRows(group, rows.begin, selected);
  }
  if (const auto lie = check.Found()) NoteLie(group, *lie);
  return {};
}

void Counter::NoteLie(int64_t group, const BoundsCheck::Lie& lie) {
  const int32_t file = catalog_.row_groups()[group].file;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const LyingFile& known : lying_files_) {
    if (known.file == file) return;
  }
  lying_files_.push_back({file, catalog_.Where(group, filter_.columns()[lie.column]) +
                                    ", written by '" + writers_[file] +
                                    "': " + lie.what});
}

void Counter::CountAll(int64_t group, Interval rows) {
  const int64_t num_blocks = NumBlocks(rows.size(), options_.block_rows);
  for (int64_t part = 0; part < num_blocks; ++part) {
    const int64_t block = first_blocks_[group] + part;
    spans_[block] = BlockRows(rows.size(), options_.block_rows, part);
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
      block_end = BlockRows(group_rows, options_.block_rows, ++part).end;
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
                                 const CountOptions& options,
                                 const std::function<bool()>& cancelled) {
  Counter counter(catalog, filter, options, cancelled);
  ROWFEED_RETURN_NOT_OK(counter.CountFiles());
  return counter.Finish();
}

Result<Survivors> JoinShares(const Catalog& catalog, const RowFilter& filter,
                             int64_t block_rows, int num_threads,
                             const std::vector<Survivors>& shares) {
  Survivors::Counts counts = *shares.front().counts;
  std::vector<Interval> spans = shares.front().spans;
  std::map<int32_t, LyingFile> lying_files;
  DecidedRows decided;
  for (const Survivors& part : shares) {
    for (size_t block = 0; block < counts.size(); ++block) {
      if (counts[block] > 0) continue;
      counts[block] = (*part.counts)[block];
      spans[block] = part.spans[block];
    }
    for (const LyingFile& file : part.lying_files) lying_files.emplace(file.file, file);
    decided.Add(part.decided.value_or(DecidedRows()));
  }
  Survivors joined{std::make_shared<const Survivors::Counts>(std::move(counts)),
                   std::move(spans),
                   {},
                   std::nullopt};
  // A process that knew the counts of all row groups has sent more than its share.
  if (decided.total() == catalog.num_rows()) joined.decided = decided;
  if (lying_files.empty()) return joined;
  const std::function<bool()> is_cancelled;
  Counter counter(catalog, filter,
                  {.block_rows = block_rows, .share = {}, .num_threads = num_threads},
                  is_cancelled);
  counter.Take(joined);
  for (const auto& [file, _] : lying_files) {
    ROWFEED_RETURN_NOT_OK(counter.Recount(file));
  }
  joined = counter.Finish();
  joined.decided.reset();
  for (auto& [_, file] : lying_files) joined.lying_files.push_back(std::move(file));
  return joined;
}

}  // namespace rowfeed
