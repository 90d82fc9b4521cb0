// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window_load.h"

#include <algorithm>
#include <utility>

#include "core/decode/column_decoder.h"
#include "core/decode/file_rows.h"
#include "core/decode/provenance_block.h"

namespace rowfeed {
namespace {

constexpr int64_t kCacheLine = 64;
// The rows of a narrow column are read at random: they should be in a cache.
constexpr int64_t kMaxGatherBytes = int64_t{4} << 20;

}  // namespace

WindowLoad::WindowLoad(std::shared_ptr<const StreamContext> context,
                       std::shared_ptr<const EpochPlan> plan, const WindowVisit& visit,
                       std::vector<Run> runs)
    : context_(std::move(context)),
      plan_(std::move(plan)),
      window_(visit.window),
      runs_(std::move(runs)),
      pieces_(plan_->Pieces(visit.window)) {
  const std::vector<Column>& columns = context_->columns;
  const auto is_whole = [&](const Column& column) {
    return pieces_.size() > 1 && IsNarrow(column, window_rows());
  };
  for (size_t feature = 0; feature < columns.size(); ++feature) {
    if (is_whole(columns[feature])) tasks_.push_back({feature, std::nullopt});
  }
  const Catalog& catalog = *context_->catalog;
  files_.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    const CatalogFile& file =
        catalog.files()[catalog.row_groups()[piece.row_group].file];
    files_.emplace_back(context_->files, file.path, file.size, file.mtime_ns);
  }
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    for (size_t feature = 0; feature < columns.size(); ++feature) {
      if (!is_whole(columns[feature])) tasks_.push_back({feature, piece});
    }
  }
}

bool WindowLoad::IsNarrow(const Column& column, int64_t window_rows) {
  const int64_t row_bytes = column.row_bytes();
  return !column.is_variable() && row_bytes < kCacheLine &&
         window_rows * row_bytes <= kMaxGatherBytes;
}

int64_t WindowLoad::VariableBytes() const {
  const Catalog& catalog = *context_->catalog;
  double bytes = 0;
  for (const Piece& piece : pieces_) {
    const int64_t rows = catalog.row_groups()[piece.row_group].rows;
    const double share = static_cast<double>(piece.rows()) / static_cast<double>(rows);
    for (const size_t feature : context_->variable) {
      const int column = *context_->column_indices[feature];
      bytes += share * static_cast<double>(VariableBlockBytes(
                           context_->columns[feature],
                           catalog.chunk(piece.row_group, column), rows));
    }
  }
  return static_cast<int64_t>(bytes);
}

Status WindowLoad::Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders) {
  builders_ = std::move(builders);
  permutation_ = plan_->Permutation(window_);
  if (!tasks_.empty() && tasks_.back().piece) {
    split_.emplace(pieces_, permutation_, runs_);
  }
  if (!context_->variable.empty()) {
    blocks_.resize(pieces_.size() * context_->columns.size());
  }
  for (const auto& builder : builders_) ROWFEED_RETURN_NOT_OK(builder->Allocate());
  return {};
}

Status WindowLoad::RunTask(size_t index, const std::atomic<bool>& cancelled) {
  const Task& task = tasks_[index];
  return task.piece ? GatherPiece(task, cancelled) : GatherWindow(task, cancelled);
}

Result<std::unique_ptr<ColumnBlock>> WindowLoad::Decode(
    size_t piece_index, size_t feature, const std::atomic<bool>& cancelled) const {
  const Catalog& catalog = *context_->catalog;
  const Piece& piece = pieces_[piece_index];
  const RowGroup& group = catalog.row_groups()[piece.row_group];
  const Feature& asked = context_->options.features[feature];
  if (asked.provenance) {
    return MakeProvenanceBlock(*asked.provenance, group, piece.begin, piece.end);
  }
  const int index = *context_->column_indices[feature];
  const ChunkRequest request{.file = &files_[piece_index],
                             .chunk = catalog.chunk(piece.row_group, index),
                             .group_rows = group.rows,
                             .begin_row = piece.begin,
                             .end_row = piece.end,
                             .column = &context_->columns[feature],
                             .storage = &catalog.storage(piece.row_group, index),
                             .fill = &asked.fill,
                             .cancelled = &cancelled};
  Result<std::unique_ptr<ColumnBlock>> block = DecodeColumn(request, context_->buffers);
  if (block.ok() || block.status().code() == StatusCode::kCancelled) return block;
  return block.status().WithContext(catalog.Where(piece.row_group, index));
}

Status WindowLoad::GatherPiece(const Task& task, const std::atomic<bool>& cancelled) {
  const size_t piece = *task.piece;
  ROWFEED_ASSIGN_OR_RETURN(std::unique_ptr<ColumnBlock> block,
                           Decode(piece, task.feature, cancelled));
  if (context_->columns[task.feature].is_variable()) {
    auto* variable = static_cast<VariableBlock*>(block.release());
    blocks_[piece * context_->columns.size() + task.feature].reset(variable);
    const Selection wanted = split_->rows(piece);
    ROWFEED_RETURN_NOT_OK(
        variable->Select(wanted.rows, wanted.size, context_->buffers));
    for (size_t run = 0; run < runs_.size(); ++run) {
      builders_[run]->GatherLengths(task.feature, *variable, split_->run(piece, run));
    }
    return {};
  }
  for (size_t run = 0; run < runs_.size(); ++run) {
    ROWFEED_RETURN_NOT_OK(builders_[run]->GatherFixed(
        task.feature, static_cast<const FixedBlock&>(*block),
        split_->selection(piece, run)));
  }
  return {};
}

Status WindowLoad::GatherWindow(const Task& task, const std::atomic<bool>& cancelled) {
  const int64_t row_bytes = context_->columns[task.feature].row_bytes();
  ROWFEED_ASSIGN_OR_RETURN(const Buffer rows,
                           context_->buffers->Allocate(window_rows() * row_bytes));
  uint8_t* next = rows.data();
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    ROWFEED_ASSIGN_OR_RETURN(const std::unique_ptr<ColumnBlock> block,
                             Decode(piece, task.feature, cancelled));
    static_cast<const FixedBlock&>(*block).CopyRows(next);
    next += pieces_[piece].rows() * row_bytes;
  }
  for (size_t run = 0; run < runs_.size(); ++run) {
    builders_[run]->GatherRun(task.feature, rows.data(), permutation_.data(),
                              runs_[run]);
  }
  return {};
}

Status WindowLoad::GatherElements(size_t run, BatchBuilder* builder) const {
  for (const size_t feature : context_->variable) {
    for (size_t piece = 0; piece < pieces_.size(); ++piece) {
      const VariableBlock& block = *blocks_[piece * context_->columns.size() + feature];
      const Status status =
          builder->GatherElements(feature, block, split_->run(piece, run));
      if (!status.ok()) {
        return status.WithContext(context_->catalog->Where(
            pieces_[piece].row_group, *context_->column_indices[feature]));
      }
    }
  }
  return {};
}

}  // namespace rowfeed
