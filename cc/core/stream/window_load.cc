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
  const std::vector<FeatureSource>& features = context_->layout.features;
  const auto is_whole = [&](size_t feature) {
    return pieces_.size() > 1 && IsNarrow(features[feature].column, window_rows());
  };
  for (size_t feature = 0; feature < features.size(); ++feature) {
    if (is_whole(feature)) tasks_.push_back({feature, std::nullopt});
  }
  const Catalog& catalog = *context_->catalog;
  files_.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    const CatalogFile& file =
        catalog.files()[catalog.row_groups()[piece.row_group].file];
    files_.emplace_back(context_->files, file.path, file.size, file.mtime_ns);
  }
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    for (size_t feature = 0; feature < features.size(); ++feature) {
      if (!is_whole(feature)) tasks_.push_back({feature, piece});
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
    for (size_t feature = 0; feature < context_->layout.features.size(); ++feature) {
      if (!context_->layout.is_variable(feature)) continue;
      const FeatureSource& source = context_->layout.features[feature];
      bytes += share *
               static_cast<double>(VariableBlockBytes(
                   source.column, catalog.chunk(piece.row_group, *source.index), rows));
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
  if (context_->layout.has_variable_parts()) {
    blocks_.resize(pieces_.size() * context_->layout.parts.size());
  }
  for (const auto& builder : builders_) ROWFEED_RETURN_NOT_OK(builder->Allocate());
  return {};
}

Status WindowLoad::RunTask(size_t index, const std::atomic<bool>& cancelled) {
  const Task& task = tasks_[index];
  return task.piece ? GatherPiece(task, cancelled) : GatherWindow(task, cancelled);
}

Result<PartBlocks> WindowLoad::Decode(size_t piece_index, size_t feature,
                                      const std::atomic<bool>& cancelled) const {
  const Catalog& catalog = *context_->catalog;
  const Piece& piece = pieces_[piece_index];
  const RowGroup& group = catalog.row_groups()[piece.row_group];
  const Feature& asked = context_->options.features[feature];
  if (asked.provenance) {
    PartBlocks blocks;
    blocks.push_back(
        MakeProvenanceBlock(*asked.provenance, group, piece.begin, piece.end));
    return blocks;
  }
  const int index = *context_->layout.features[feature].index;
  const ChunkRequest request{.file = &files_[piece_index],
                             .chunk = catalog.chunk(piece.row_group, index),
                             .group_rows = group.rows,
                             .begin_row = piece.begin,
                             .end_row = piece.end,
                             .source = &catalog.columns()[index],
                             .column = &context_->layout.features[feature].column,
                             .storage = &catalog.storage(piece.row_group, index),
                             .fill = &asked.fill,
                             .encoding = asked.encoding,
                             .with_mask = asked.with_mask,
                             .padding = asked.padding ? &*asked.padding : nullptr,
                             .cancelled = &cancelled};
  Result<PartBlocks> blocks = DecodeColumn(request, context_->buffers);
  if (blocks.ok() || blocks.status().code() == StatusCode::kCancelled) return blocks;
  return blocks.status().WithContext(catalog.Where(piece.row_group, index));
}

Status WindowLoad::GatherPiece(const Task& task, const std::atomic<bool>& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(PartBlocks blocks,
                           Decode(*task.piece, task.feature, cancelled));
  const size_t first_part = context_->layout.first_parts[task.feature];
  for (size_t i = 0; i < blocks.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(
        GatherPart(first_part + i, *task.piece, std::move(blocks[i])));
  }
  return {};
}

Status WindowLoad::GatherPart(size_t part, size_t piece,
                              std::unique_ptr<ColumnBlock> block) {
  if (context_->layout.parts[part].is_variable) {
    auto* variable = static_cast<VariableBlock*>(block.release());
    blocks_[piece * context_->layout.parts.size() + part].reset(variable);
    const Selection wanted = split_->rows(piece);
    ROWFEED_RETURN_NOT_OK(
        variable->Select(wanted.rows, wanted.size, context_->buffers));
    for (size_t run = 0; run < runs_.size(); ++run) {
      builders_[run]->GatherLengths(part, *variable, split_->run(piece, run));
    }
    return {};
  }
  for (size_t run = 0; run < runs_.size(); ++run) {
    ROWFEED_RETURN_NOT_OK(builders_[run]->GatherFixed(
        part, static_cast<const FixedBlock&>(*block), split_->selection(piece, run)));
  }
  return {};
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
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    ROWFEED_ASSIGN_OR_RETURN(const PartBlocks blocks,
                             Decode(piece, task.feature, cancelled));
    for (size_t part = begin; part < end; ++part) {
      static_cast<const FixedBlock&>(*blocks[part - begin])
          .CopyRows(rows[part - begin].data() +
                    row * context_->layout.parts[part].unit_bytes);
    }
    row += pieces_[piece].rows();
  }
  for (size_t part = begin; part < end; ++part) {
    for (size_t run = 0; run < runs_.size(); ++run) {
      builders_[run]->GatherRun(part, rows[part - begin].data(), permutation_.data(),
                                runs_[run]);
    }
  }
  return {};
}

Status WindowLoad::GatherUnits(size_t run, BatchBuilder* builder) const {
  for (size_t feature = 0; feature < context_->layout.features.size(); ++feature) {
    for (size_t part = context_->layout.first_parts[feature];
         part < context_->layout.first_parts[feature + 1]; ++part) {
      if (!context_->layout.parts[part].is_variable) continue;
      for (size_t piece = 0; piece < pieces_.size(); ++piece) {
        const VariableBlock& block =
            *blocks_[piece * context_->layout.parts.size() + part];
        const Status status =
            builder->GatherUnits(part, block, split_->run(piece, run));
        if (!status.ok()) {
          return status.WithContext(context_->catalog->Where(
              pieces_[piece].row_group, *context_->layout.features[feature].index));
        }
      }
    }
  }
  return {};
}

}  // namespace rowfeed
