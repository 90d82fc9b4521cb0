// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window_load.h"

#include <algorithm>
#include <utility>

#include "core/decode/column_decoder.h"

namespace rowfeed {

WindowLoad::WindowLoad(std::shared_ptr<const StreamContext> context,
                       std::shared_ptr<const EpochPlan> plan, const WindowVisit& visit,
                       std::vector<Run> runs)
    : context_(std::move(context)),
      plan_(std::move(plan)),
      window_(visit.window),
      runs_(std::move(runs)),
      pieces_(plan_->Pieces(visit.window)) {}

int64_t WindowLoad::VariableBytes() const {
  const Catalog& catalog = *context_->catalog;
  double kib = 0;
  for (const Piece& piece : pieces_) {
    const double share =
        static_cast<double>(piece.rows()) /
        static_cast<double>(catalog.row_groups()[piece.row_group].rows);
    for (const size_t feature : context_->variable) {
      const int column = context_->column_indices[feature];
      kib += share * catalog.chunk(piece.row_group, column).uncompressed_kib;
    }
  }
  return static_cast<int64_t>(kib * 1024);
}

Status WindowLoad::Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders) {
  builders_ = std::move(builders);
  split_.emplace(pieces_, plan_->Permutation(window_), runs_);
  if (!context_->variable.empty()) blocks_.resize(num_tasks());
  for (const auto& builder : builders_) ROWFEED_RETURN_NOT_OK(builder->Allocate());
  return {};
}

Status WindowLoad::RunTask(size_t task, const std::atomic<bool>& cancelled) {
  const size_t piece = task / context_->columns.size();
  const size_t feature = task % context_->columns.size();
  Status status = Decode(piece, feature, cancelled);
  if (status.ok() || status.code() == StatusCode::kCancelled) return status;
  return status.WithContext(context_->catalog->Where(
      pieces_[piece].row_group, context_->column_indices[feature]));
}

Status WindowLoad::Decode(size_t piece_index, size_t feature,
                          const std::atomic<bool>& cancelled) {
  const Catalog& catalog = *context_->catalog;
  const Piece& piece = pieces_[piece_index];
  const RowGroup& group = catalog.row_groups()[piece.row_group];
  const CatalogFile& info = catalog.files()[group.file];
  ROWFEED_ASSIGN_OR_RETURN(const auto file,
                           context_->files->Get(info.path, info.size, info.mtime_ns));
  const Column& column = context_->columns[feature];
  const int index = context_->column_indices[feature];
  const ChunkRequest request{.file = file.get(),
                             .chunk = catalog.chunk(piece.row_group, index),
                             .group_rows = group.rows,
                             .begin_row = piece.begin,
                             .end_row = piece.end,
                             .column = &column,
                             .storage = &catalog.storage(piece.row_group, index),
                             .fill = &context_->options.features[feature].fill,
                             .cancelled = &cancelled};
  ROWFEED_ASSIGN_OR_RETURN(std::unique_ptr<ColumnBlock> block,
                           DecodeColumn(request, context_->buffers));
  if (column.is_variable()) {
    auto* variable = static_cast<VariableBlock*>(block.release());
    blocks_[piece_index * context_->columns.size() + feature].reset(variable);
    for (size_t run = 0; run < runs_.size(); ++run) {
      builders_[run]->GatherLengths(feature, *variable,
                                    split_->selection(piece_index, run));
    }
    return {};
  }
  for (size_t run = 0; run < runs_.size(); ++run) {
    ROWFEED_RETURN_NOT_OK(
        builders_[run]->GatherFixed(feature, static_cast<const FixedBlock&>(*block),
                                    split_->selection(piece_index, run)));
  }
  return {};
}

Status WindowLoad::GatherElements(size_t run, BatchBuilder* builder) const {
  for (const size_t feature : context_->variable) {
    for (size_t piece = 0; piece < pieces_.size(); ++piece) {
      const VariableBlock& block = *blocks_[piece * context_->columns.size() + feature];
      const Status status =
          builder->GatherElements(feature, block, split_->selection(piece, run));
      if (!status.ok()) {
        return status.WithContext(context_->catalog->Where(
            pieces_[piece].row_group, context_->column_indices[feature]));
      }
    }
  }
  return {};
}

}  // namespace rowfeed
