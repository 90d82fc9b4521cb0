// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window_load.h"

#include <algorithm>
#include <utility>

#include "core/batch/cache_line.h"
#include "core/batch/gather_rows.h"
#include "core/batch/iota.h"
#include "core/decode/column_decoder.h"
#include "core/decode/file_rows.h"
#include "core/decode/fill_block.h"
#include "core/decode/fixed_block.h"
#include "core/decode/provenance_block.h"
#include "core/decode/variable_block.h"
#include "core/filter/row_filter.h"
#include "core/stream/chunk_request.h"

namespace rowfeed {
namespace {

// The rows of a narrow column are read at random: they should be in a cache.
constexpr int64_t kMaxGatherBytes = int64_t{8} << 20;

// The file is gone, or another one has its name.
bool IsLost(const Status& status) {
  return status.code() == StatusCode::kNotFound ||
         status.code() == StatusCode::kCorrupt;
}

// Indexes of the features' columns and of those that the filter looks at.
std::vector<int> ColumnsRead(const StreamSource& source) {
  std::vector<int> columns;
  for (const FeatureSource& feature : source.layout.features) {
    if (feature.index) columns.push_back(*feature.index);
  }
  if (source.filtered) {
    const std::vector<int>& of_filter = source.filtered->filter->columns();
    columns.insert(columns.end(), of_filter.begin(), of_filter.end());
  }
  return columns;
}

// Side by side: those selected, or all if there are none.
Status CopyRows(const FixedBlock& block, const std::vector<uint32_t>& selected,
                uint8_t* out) {
  if (selected.empty()) {
    block.CopyRows(out);
    return {};
  }
  const std::vector<uint32_t> slots = Iota(std::ssize(selected));
  return block.Gather({selected.data(), slots.data(), std::ssize(selected)}, out);
}

}  // namespace

WindowLoad::WindowLoad(std::shared_ptr<const StreamContext> context,
                       const WindowVisit& visit, std::vector<Run> runs,
                       std::vector<Place> places)
    : context_(std::move(context)),
      source_(visit.source),
      plan_(visit.plan),
      window_(visit.window),
      runs_(std::move(runs)),
      places_(std::move(places)),
      pieces_(plan_->Pieces(visit.window)),
      // Under a filter it is not known yet which rows are wanted.
      files_(*source().catalog, ColumnsRead(source()), pieces_, context_->files,
             source().filtered ? nullptr : source().places.get()) {
  for (size_t feature = 0; feature < num_features(); ++feature) {
    if (IsWhole(feature)) tasks_.push_back({feature, std::nullopt});
  }
  for (const Piece& piece : pieces_) {
    piece_rows_.push_back({{piece.begin, piece.end}, {}});
    for (size_t i = 0; i <= num_features(); ++i) {
      timed_files_.emplace_back(
          &files_.file(timed_files_.size() / (num_features() + 1)));
    }
  }
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    for (size_t feature = 0; feature < num_features(); ++feature) {
      if (!IsWhole(feature)) tasks_.push_back({feature, piece});
    }
  }
}

Status WindowLoad::RunFetchTask(size_t task, const std::atomic<bool>& cancelled) {
  const Stopwatch watch;
  const auto fetched = files_.RunTask(task, [&] { return cancelled.load(); });
  Counters& counters = *context_->counters;
  counters.Add(Count::kFetch, watch.ns());
  if (fetched.ok()) {
    counters.Add(Count::kFetchedBytes, fetched->bytes);
    counters.Add(Count::kFetchRequests, fetched->num_requests);
    counters.Add(Count::kFetchRetries, fetched->num_retries);
  }
  const Status& status = fetched.status();
  return context_->options.growth && IsLost(status) ? Status() : status;
}

bool WindowLoad::IsWhole(size_t feature) const {
  return (pieces_.size() > 1 || runs_.front().slot_step > 1) &&
         IsNarrow(source().layout.features[feature].column, window_rows());
}

bool WindowLoad::IsNarrow(const Column& column, int64_t window_rows) {
  const int64_t row_bytes = column.row_bytes();
  return !column.is_variable() && row_bytes < kCacheLine &&
         window_rows * row_bytes <= kMaxGatherBytes;
}

int64_t WindowLoad::VariableBytes() const {
  const Catalog& catalog = *source().catalog;
  double bytes = 0;
  for (const Piece& piece : pieces_) {
    const int64_t rows = catalog.row_groups()[piece.row_group].rows;
    const double share =
        static_cast<double>(DecodedRows(piece)) / static_cast<double>(rows);
    for (size_t feature = 0; feature < source().layout.features.size(); ++feature) {
      if (!source().layout.is_variable(feature)) continue;
      const FeatureSource& from = source().layout.features[feature];
      bytes +=
          share * static_cast<double>(VariableBlockBytes(
                      from.column, catalog.chunk(piece.row_group, *from.index), rows));
    }
  }
  return static_cast<int64_t>(bytes);
}

int64_t WindowLoad::DecodedRows(const Piece& piece) const {
  if (!source().filtered) return piece.rows();
  const Survivors& survivors = source().filtered->survivors;
  const double share = static_cast<double>(piece.rows()) /
                       static_cast<double>((*survivors.counts)[piece.block]);
  return static_cast<int64_t>(share *
                              static_cast<double>(survivors.spans[piece.block].size()));
}

int64_t WindowLoad::CountReads(size_t piece, size_t feature) const {
  const TimedFile::Reads reads = file(piece, feature).Take();
  if (reads.num_reads == 0) return 0;
  Counters& counters = *context_->counters;
  counters.Add(feature, ColumnCount::kReadBytes, reads.bytes);
  counters.Add(feature, ColumnCount::kRequests, reads.num_reads);
  counters.Add(feature, ColumnCount::kRead, reads.ns);
  return reads.ns;
}

Status WindowLoad::RunFilterTask(size_t task, const std::atomic<bool>& cancelled) {
  const Piece& piece = pieces_[task];
  const Survivors& survivors = source().filtered->survivors;
  const Interval span = survivors.spans[piece.block];
  const int64_t count = (*survivors.counts)[piece.block];
  PieceRows& from = piece_rows_[task];
  ROWFEED_RETURN_NOT_OK(HoldFile(task));
  if (from.is_lost) {
    from.rows = {0, piece.rows()};
    return {};
  }
  if (count == span.size()) {
    from.rows = {span.begin + piece.begin, span.begin + piece.end};
    return {};
  }
  const Stopwatch watch;
  ROWFEED_ASSIGN_OR_RETURN(
      std::vector<uint32_t> selected,
      source().filtered->filter->Select(
          *source().catalog, piece.row_group, span, file(task, num_features()),
          source().locator.get(), context_->buffers, &cancelled));
  Counters& counters = *context_->counters;
  const int64_t read_ns = CountReads(task, num_features());
  counters.Add(counters.filter(), ColumnCount::kDecode, watch.ns() - read_ns);
  counters.Add(Count::kFilteredRows, span.size() - std::ssize(selected));
  if (std::ssize(selected) != count) {
    return Status::Corrupt(source().catalog->Where(piece.row_group), ": ",
                           selected.size(), " rows pass the filter, expected ", count,
                           " as counted before");
  }
  const uint32_t first = selected[piece.begin];
  from.rows = {span.begin + first, span.begin + selected[piece.end - 1] + 1};
  from.selected.assign(selected.begin() + piece.begin, selected.begin() + piece.end);
  for (uint32_t& row : from.selected) row -= first;
  return {};
}

Status WindowLoad::HoldFile(size_t piece) {
  if (!context_->options.growth) return {};
  const Status status = files_.Hold(piece);
  piece_rows_[piece].is_lost = IsLost(status);
  return piece_rows_[piece].is_lost ? Status() : status;
}

bool WindowLoad::has_lost_rows() const {
  return std::any_of(piece_rows_.begin(), piece_rows_.end(),
                     [](const PieceRows& rows) { return rows.is_lost; });
}

void WindowLoad::MarkLostRows() const {
  int64_t num_lost = 0;
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    if (!piece_rows_[piece].is_lost) continue;
    for (size_t run = 0; run < runs_.size(); ++run) {
      const Selection lost = split_->selection(piece, run);
      builders_[run]->MarkFill(lost.slots, lost.size);
      num_lost += lost.size;
    }
  }
  context_->counters->Add(Count::kLostRows, num_lost);
}

Result<PartBlocks> WindowLoad::FillBlocks(size_t feature, int64_t num_rows) const {
  PartBlocks blocks;
  for (size_t part = context_->layout.first_parts[feature];
       part < context_->layout.first_parts[feature + 1]; ++part) {
    ROWFEED_ASSIGN_OR_RETURN(
        blocks.emplace_back(),
        MakeFillBlock(context_->layout.parts[part], num_rows, context_->buffers));
  }
  return blocks;
}

Status WindowLoad::Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders) {
  const Stopwatch watch;
  builders_ = std::move(builders);
  permutation_ = plan_->Permutation(window_);
  for (size_t i = 0; !source().filtered && i < pieces_.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(HoldFile(i));
  }
  if (is_held()) SplitWhole();
  if ((!tasks_.empty() && tasks_.back().piece) || has_lost_rows()) {
    split_.emplace(pieces_, permutation_, runs_, places_);
    for (size_t piece = 0; piece < pieces_.size(); ++piece) {
      split_->MapRows(piece, piece_rows_[piece].selected);
    }
  }
  places_ = {};
  if (is_held()) permutation_ = {};
  if (is_held() || context_->layout.has_variable_parts()) {
    blocks_.resize(pieces_.size() * context_->layout.parts.size());
  }
  for (const auto& builder : builders_) ROWFEED_RETURN_NOT_OK(builder->Allocate());
  MarkLostRows();
  context_->counters->Add(Count::kWindows, 1);
  context_->counters->Add(Count::kShuffle, watch.ns());
  return {};
}

Status WindowLoad::RunTask(size_t index, const std::atomic<bool>& cancelled) {
  const Task& task = tasks_[index];
  return task.piece ? GatherPiece(task, cancelled) : GatherWindow(task, cancelled);
}

Result<PartBlocks> WindowLoad::Decode(size_t piece, size_t feature,
                                      const std::atomic<bool>& cancelled,
                                      uint8_t* rows_out) const {
  const Stopwatch watch;
  int64_t decompress_ns = 0;
  Result<PartBlocks> blocks =
      DecodeRows(piece, feature, cancelled, rows_out, &decompress_ns);
  const int64_t elsewhere_ns = CountReads(piece, feature) + decompress_ns;
  Counters& counters = *context_->counters;
  counters.Add(feature, ColumnCount::kDecompress, decompress_ns);
  counters.Add(feature, ColumnCount::kDecode, watch.ns() - elsewhere_ns);
  return blocks;
}

Result<PartBlocks> WindowLoad::DecodeRows(size_t piece_index, size_t feature,
                                          const std::atomic<bool>& cancelled,
                                          uint8_t* rows_out,
                                          int64_t* decompress_ns) const {
  const Catalog& catalog = *source().catalog;
  const Piece& piece = pieces_[piece_index];
  const auto& [rows, selected, is_lost] = piece_rows_[piece_index];
  const RowGroup& group = catalog.row_groups()[piece.row_group];
  const Feature& asked = source().features[feature];
  if (asked.provenance) {
    PartBlocks blocks;
    blocks.push_back(
        MakeProvenanceBlock(*asked.provenance, group, rows.begin, rows.end));
    return blocks;
  }
  if (is_lost) return FillBlocks(feature, rows.size());
  const FeatureSource& from = source().layout.features[feature];
  ChunkRequest request =
      MakeChunkRequest(catalog, asked, from, {piece.row_group, rows.begin, rows.end},
                       &file(piece_index, feature));
  request.pages = files_.pages(piece_index, *from.index);
  request.some_rows = selected.empty() ? nullptr : &selected;
  request.cancelled = &cancelled;
  request.rows_out = rows_out;
  request.decompress_ns = decompress_ns;
  const auto decode = [&]() -> Result<PartBlocks> {
    PageLocations few;
    if (source().filtered) {
      ROWFEED_ASSIGN_OR_RETURN(few,
                               source().locator->LocateFew(request, piece.row_group));
      request.pages = &few;
    }
    return DecodeColumn(request, context_->buffers);
  };
  Result<PartBlocks> blocks = decode();
  if (blocks.ok() || blocks.status().code() == StatusCode::kCancelled) return blocks;
  return blocks.status().WithContext(catalog.Where(piece.row_group, *from.index));
}

Status WindowLoad::GatherPiece(const Task& task, const std::atomic<bool>& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(PartBlocks blocks,
                           Decode(*task.piece, task.feature, cancelled));
  const Stopwatch watch;
  const size_t first_part = context_->layout.first_parts[task.feature];
  for (size_t i = 0; i < blocks.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(
        GatherPart(first_part + i, *task.piece, std::move(blocks[i])));
  }
  const int64_t read_ns = CountReads(*task.piece, task.feature);
  context_->counters->Add(task.feature, ColumnCount::kGather, watch.ns() - read_ns);
  return {};
}

Status WindowLoad::GatherPart(size_t part, size_t piece,
                              std::unique_ptr<ColumnBlock> block) {
  const size_t place = piece * context_->layout.parts.size() + part;
  if (context_->layout.parts[part].is_variable) {
    std::unique_ptr<VariableBlock> variable(
        static_cast<VariableBlock*>(block.release()));
    const Selection wanted = split_->rows(piece);
    ROWFEED_RETURN_NOT_OK(
        variable->Select(wanted.rows, wanted.size, context_->buffers));
    if (!piece_rows_[piece].selected.empty()) {  // pages of which little is wanted go
      ROWFEED_ASSIGN_OR_RETURN(
          auto copied, CopyIfSmaller(*variable, context_->layout.parts[part].unit_bytes,
                                     context_->buffers));
      if (copied) variable = std::move(copied);
    }
    for (size_t run = 0; !is_held() && run < runs_.size(); ++run) {
      builders_[run]->GatherLengths(part, *variable, split_->run(piece, run));
    }
    blocks_[place] = std::move(variable);
    return {};
  }
  auto& fixed = static_cast<const FixedBlock&>(*block);
  if (is_held()) {
    if (IsCopied(part, piece)) {
      ROWFEED_ASSIGN_OR_RETURN(blocks_[place], CopyWanted(part, piece, fixed));
    } else {
      blocks_[place] = std::move(block);
    }
    return {};
  }
  for (size_t run = 0; run < runs_.size(); ++run) {
    ROWFEED_RETURN_NOT_OK(
        builders_[run]->GatherFixed(part, fixed, split_->selection(piece, run)));
  }
  return {};
}

void WindowLoad::GatherRuns(size_t part, const uint8_t* rows) const {
  // All at once: each looks up what is in no cache, and none depends on another.
  std::vector<BatchBuilder::Slots> slots;
  slots.reserve(runs_.size());
  for (size_t run = 0; run < runs_.size(); ++run) {
    slots.push_back(builders_[run]->SlotsOf(part, runs_[run]));
  }
  const int64_t width = context_->layout.parts[part].unit_bytes;
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    rowfeed::GatherRows(rows, permutation_.data() + run.begin, run.step, run.count,
                        width, slots[i].begin, slots[i].step);
  }
}

Status WindowLoad::GatherWindow(const Task& task, const std::atomic<bool>& cancelled) {
  const size_t begin = context_->layout.first_parts[task.feature];
  const size_t end = context_->layout.first_parts[task.feature + 1];
  std::vector<Buffer> rows(end - begin);
  for (size_t part = begin; part < end; ++part) {
    ROWFEED_ASSIGN_OR_RETURN(
        rows[part - begin],
        context_->buffers->Allocate(window_rows() *
                                    context_->layout.parts[part].unit_bytes));
  }
  int64_t row = 0;
  int64_t gather_ns = 0;
  Stopwatch watch;
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    uint8_t* const rows_out =
        rows[0].data() + row * context_->layout.parts[begin].unit_bytes;
    ROWFEED_ASSIGN_OR_RETURN(const PartBlocks blocks,
                             Decode(piece, task.feature, cancelled, rows_out));
    watch.Lap();
    for (size_t part = begin; part < end; ++part) {
      const auto& block = static_cast<const FixedBlock&>(*blocks[part - begin]);
      uint8_t* out =
          rows[part - begin].data() + row * context_->layout.parts[part].unit_bytes;
      ROWFEED_RETURN_NOT_OK(CopyRows(block, piece_rows_[piece].selected, out));
    }
    row += pieces_[piece].rows();
    gather_ns += watch.Lap();
  }
  for (size_t part = begin; part < end; ++part) {
    if (is_held()) ROWFEED_RETURN_NOT_OK(HoldWindow(part, rows[part - begin].data()));
    if (!is_held()) GatherRuns(part, rows[part - begin].data());
  }
  FenceRows();
  context_->counters->Add(task.feature, ColumnCount::kGather, gather_ns + watch.ns());
  return {};
}

}  // namespace rowfeed
