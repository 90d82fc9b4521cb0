// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_forecast.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "core/ceil_div.h"
#include "core/filter/expression/row_filter.h"
#include "core/plan/blocks.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/mixture.h"
#include "core/plan/read_pieces.h"
#include "core/plan/stream_plan.h"
#include "core/stream/epochs/mixing_meter.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/chunk_reads.h"
#include "core/stream/options/fetched_bytes.h"
#include "core/stream/options/merge_limit.h"
#include "core/stream/options/mixture_options.h"

namespace rowfeed {
namespace {

// One source of a stream: what is read of it, and the rows that pass its filter.
struct ForecastSource {
  std::shared_ptr<const Catalog> catalog;
  BatchLayout layout;
  std::shared_ptr<const FilteredRows> filtered;  // nullptr: there is no filter
  int64_t block_rows = 0;
  int64_t most_rows_merged = 0;  // see ReadPieces

  // Returns the columns of the files that are read, each once.
  std::vector<int> Columns() const {
    std::set<int> columns;
    for (const ResolvedColumn& column : layout.columns) {
      if (column.index) columns.insert(*column.index);
    }
    if (filtered != nullptr) {
      const std::vector<int>& asked = filtered->filter->columns();
      columns.insert(asked.begin(), asked.end());
    }
    return {columns.begin(), columns.end()};
  }
};

int64_t MedianOf(std::vector<int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Returns what is read of a piece of a window.
ChunkReads ReadsOfPiece(const ForecastSource& source, const ReadPieces& read,
                        size_t index, double own_share) {
  const Catalog& catalog = *source.catalog;
  const Piece& piece = read.pieces()[index];
  const int64_t span = read.extent(index).size();
  const auto share_of = [span](int64_t rows) {
    return static_cast<double>(rows) / static_cast<double>(std::max<int64_t>(span, 1));
  };
  if (source.filtered == nullptr) {
    return ReadsOfLayout(catalog, source.layout, piece.row_group, span,
                         own_share * share_of(piece.rows()));
  }
  const Survivors& survivors = source.filtered->survivors;
  int64_t count = 0;  // rows of the blocks of the piece that pass
  bool all_pass = true;
  for (const Piece& part : read.planned(index)) {
    const int64_t passing = (*survivors.counts)[part.block];
    count += passing;
    all_pass = all_pass && passing == survivors.spans[part.block].size();
  }
  if (all_pass) {
    const int64_t rows = count == span ? piece.rows() : span;
    ChunkReads reads = ReadsOfLayout(catalog, source.layout, piece.row_group, rows,
                                     own_share * share_of(count));
    // The pages of smaller chunks are looked up where there is a filter.
    const bool is_whole = piece.rows() == catalog.row_groups()[piece.row_group].rows;
    reads.is_exact = reads.is_exact && is_whole;
    return reads;
  }
  ChunkReads reads = ReadsOfColumns(catalog, source.filtered->filter->columns(),
                                    piece.row_group, span);
  reads.Add(ReadsOfLayout(catalog, source.layout, piece.row_group,
                          CeilDiv(span * piece.rows(), count),
                          own_share * share_of(count)));
  reads.is_exact = false;
  return reads;
}

// Sums up what the windows of an epoch are and read.
class EpochMeter {
 public:
  EpochMeter(const StreamOptions& options, std::vector<ForecastSource> sources)
      : sources_(std::move(sources)) {
    const int64_t world = options.delivery.world_size;
    const int64_t common =
        options.mixture ? 1 : std::gcd(options.order.num_lanes, world);
    own_share_ = static_cast<double>(common) / static_cast<double>(world);
    for (const ForecastSource& source : sources_) columns_.push_back(source.Columns());
  }

  void Add(const WindowVisit& visit, const std::vector<Piece>& pieces,
           bool is_of_first_batch) {
    const ForecastSource& source = sources_[visit.source];
    const ReadPieces read(pieces,
                          source.filtered ? &source.filtered->survivors.spans : nullptr,
                          source.most_rows_merged);
    ChunkReads reads;
    for (size_t i = 0; i < read.pieces().size(); ++i) {
      const int64_t group = read.pieces()[i].row_group;
      reads.Add(ReadsOfPiece(source, read, i, own_share_));
      AddPassing(source, read, i);
      forecast_.num_requests +=
          NumFetches(*source.catalog, group, columns_[visit.source]);
      groups_.emplace(visit.source, group);
      files_.emplace(visit.source, source.catalog->row_groups()[group].file);
    }
    forecast_.read_bytes += reads.bytes;
    forecast_.is_read_exact = forecast_.is_read_exact && reads.is_exact;
    if (is_of_first_batch) forecast_.first_batch_bytes += reads.bytes;
    window_rows_.push_back(visit.window.rows());
    window_blocks_.push_back(std::ssize(pieces));
  }

  EpochForecast Result() && {
    forecast_.num_files = std::ssize(files_);
    forecast_.num_row_groups = std::ssize(groups_);
    forecast_.num_windows = std::ssize(window_rows_);
    forecast_.window_rows = MedianOf(std::move(window_rows_));
    forecast_.window_blocks = MedianOf(std::move(window_blocks_));
    for (const ForecastSource& source : sources_) {
      forecast_.excluded_row_groups += NumExcluded(source);
    }
    forecast_.decided = Decided();
    return forecast_;
  }

 private:
  // Adds the bytes of the rows of a piece that pass the filter, if there is one.
  void AddPassing(const ForecastSource& source, const ReadPieces& read, size_t index) {
    if (source.filtered == nullptr) return;
    const Survivors& survivors = source.filtered->survivors;
    const int64_t group = read.pieces()[index].row_group;
    for (const Piece& part : read.planned(index)) {
      const int64_t passing = (*survivors.counts)[part.block];
      const int64_t span = survivors.spans[part.block].size();
      if (passing == 0) continue;
      const Catalog& catalog = *source.catalog;
      forecast_.copied_bytes +=
          RowBytesOfLayout(catalog, source.layout, group, passing);
      forecast_.by_index_bytes +=
          PageBytesOfLayout(catalog, source.layout, group, span, passing);
    }
  }

  std::optional<DecidedRows> Decided() const {
    std::optional<DecidedRows> decided;
    for (const ForecastSource& source : sources_) {
      if (source.filtered == nullptr) continue;
      const std::optional<DecidedRows>& of_source = source.filtered->survivors.decided;
      if (!of_source) return std::nullopt;
      if (!decided) decided.emplace();
      decided->Add(*of_source);
    }
    return decided;
  }

  static int64_t NumExcluded(const ForecastSource& source) {
    if (source.filtered == nullptr) return 0;
    const std::vector<int64_t>& counts = *source.filtered->survivors.counts;
    const std::vector<int64_t>& group_rows = *source.catalog->group_rows();
    int64_t num_excluded = 0;
    size_t block = 0;
    for (const int64_t rows : group_rows) {
      const int64_t num_blocks = NumBlocks(rows, source.block_rows);
      int64_t passing = 0;
      for (int64_t i = 0; i < num_blocks; ++i) passing += counts[block++];
      if (rows > 0 && passing == 0) ++num_excluded;
    }
    return num_excluded;
  }

  const std::vector<ForecastSource> sources_;
  std::vector<std::vector<int>> columns_;  // the columns that are read of each source
  double own_share_ = 1;
  EpochForecast forecast_;
  std::set<std::pair<size_t, int64_t>> groups_;
  std::set<std::pair<size_t, int32_t>> files_;
  std::vector<int64_t> window_rows_;
  std::vector<int64_t> window_blocks_;
};

}  // namespace

Result<EpochForecast> ForecastEpoch(const StreamOptions& options,
                                    const SourceRows& sources, int64_t epoch) {
  if (options.mixture && options.mixture->stop == StopRule::kEndless) {
    return Status::Invalid("the epochs of this mixture have no end");
  }
  std::vector<ForecastSource> read;
  std::vector<EpochRows> rows;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i]->is_known()) {
      return Status::Invalid("the rows that the filter lets pass are not counted yet");
    }
    const StreamOptions& own = options.source(i);
    ROWFEED_ASSIGN_OR_RETURN(BatchLayout layout,
                             LayOutBatches(own.columns, *sources[i]->catalog()));
    ROWFEED_ASSIGN_OR_RETURN(auto filtered, sources[i]->Filtered(nullptr));
    const int64_t most_rows = MostRowsMerged(*sources[i]->catalog(), layout, own.order);
    read.push_back({sources[i]->catalog(), std::move(layout), std::move(filtered),
                    own.order.block_rows, most_rows});
    ROWFEED_ASSIGN_OR_RETURN(rows.emplace_back(), sources[i]->Get());
  }
  ROWFEED_ASSIGN_OR_RETURN(const int64_t num_rows, NumRowsIn(options, sources, epoch));
  if (num_rows == 0) return EpochMeter(options, std::move(read)).Result();

  const std::shared_ptr<const Catalog> catalog = read[0].catalog;
  const auto plan = PlanEpoch(options, std::move(rows), epoch);
  const Delivery delivery(plan.get(), /*start_row=*/0, options.delivery,
                          options.max_batches_per_arena);
  EpochMeter meter(options, std::move(read));
  std::optional<MixingMeter> mixing;
  if (!options.mixture) mixing.emplace(options, *catalog, *plan);
  for (WindowSchedule schedule(&delivery); !schedule.done(); schedule.Pop()) {
    const WindowVisit& visit = schedule.next();
    const std::vector<Piece> pieces = visit.plan->Pieces(visit.window);
    meter.Add(visit, pieces, visit.first_row < delivery.ArenaEnd(0));
    if (mixing) mixing->Add(visit, pieces);
  }
  EpochForecast forecast = std::move(meter).Result();
  if (mixing) forecast.mixing = mixing->Result();
  return forecast;
}

}  // namespace rowfeed
