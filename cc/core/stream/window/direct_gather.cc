// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/direct_gather.h"

#include <utility>

#include "core/batch/gather_rows.h"
#include "core/decode/row_placer.h"
#include "core/stopwatch.h"
#include "core/stream/options/sink_memory.h"
#include "core/stream/window/window_index.h"

namespace rowfeed {

DirectGather::DirectGather(const WindowReader* reader, const std::vector<Run>* runs,
                           std::vector<Place> places)
    : reader_(*reader),
      runs_(*runs),
      has_buckets_(HasBuckets(reader_.context().options, reader_.context().layout.parts,
                              reader_.context().layout.first_parts,
                              reader_.num_rows())),
      tasks_(reader_, runs_, has_buckets_),
      columns_(reader),
      blocks_(reader, reader_.context().layout.has_variable_parts()),
      places_(std::move(places)) {}

int64_t DirectGather::HeldBytes() const {
  const int64_t index_bytes = kRowIndexBytes + (has_buckets_ ? kBucketIndexBytes : 0);
  return reader_.VariableBytes() +
         IndexBytes(reader_, runs_.size(), tasks_.has_pieces()) +
         index_bytes * reader_.num_rows();
}

Status DirectGather::Prepare(std::vector<uint32_t> permutation,
                             std::vector<std::shared_ptr<BatchBuilder>> builders) {
  builders_ = std::move(builders);
  permutation_ = std::move(permutation);
  if (has_buckets_) buckets_.emplace(&reader_, permutation_, &runs_);
  if (tasks_.has_pieces() || reader_.has_lost_rows()) {
    split_.emplace(SplitPieces(reader_, permutation_, runs_, places_));
  }
  places_ = {};
  for (const auto& builder : builders_) ROWFEED_RETURN_NOT_OK(builder->Allocate());
  MarkLostRows();
  return {};
}

void DirectGather::MarkLostRows() const {
  int64_t num_lost = 0;
  for (size_t piece = 0; piece < reader_.pieces().size(); ++piece) {
    if (!reader_.rows_of(piece).is_lost) continue;
    split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
      builders_[segment.run]->MarkFill(split_->selection(segment).slots, segment.size);
      num_lost += segment.size;
    });
  }
  reader_.context().counters->Add(Count::kLostRows, num_lost);
}

Status DirectGather::RunTask(size_t index, const std::atomic<bool>& cancelled) {
  const auto& [spec, piece] = tasks_[index];
  switch (tasks_.way(spec)) {
    case GatherWay::kPieces:
      return GatherPiece(spec, *piece, cancelled);
    case GatherWay::kWindow:
      return GatherWindow(spec, cancelled);
    case GatherWay::kBuckets:
      return GatherBuckets(spec, cancelled);
  }
  return {};
}

Status DirectGather::GatherPiece(size_t spec, size_t piece,
                                 const std::atomic<bool>& cancelled) {
  const StreamContext& context = reader_.context();
  const size_t first_part = context.layout.first_parts[spec];
  Stopwatch watch;
  const std::vector<uint8_t*> places = PlacesOf(first_part, piece);
  int64_t gather_ns = watch.Lap();
  ROWFEED_ASSIGN_OR_RETURN(
      PartBlocks blocks,
      reader_.Decode(piece, spec, cancelled,
                     {.places = places.empty() ? nullptr : places.data()}));
  watch.Lap();
  for (size_t i = 0; i < blocks.size(); ++i) {
    // Its rows were decoded straight into the batches.
    if (blocks[i] == nullptr) continue;
    ROWFEED_RETURN_NOT_OK(GatherPart(first_part + i, piece, std::move(blocks[i])));
  }
  const int64_t read_ns = reader_.CountReads(piece, spec);
  gather_ns += watch.Lap() - read_ns;
  context.counters->Add(spec, ColumnCount::kGather, gather_ns);
  return {};
}

std::vector<uint8_t*> DirectGather::PlacesOf(size_t part, size_t piece) const {
  const Part& rows = reader_.context().layout.parts[part];
  if (rows.is_variable || rows.unit_bytes < kWideRowBytes) return {};
  std::vector<uint8_t*> places(reader_.rows_of(piece).rows.size());
  split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
    builders_[segment.run]->FindPlaces(part, split_->selection(segment), places.data());
  });
  return places;
}

Status DirectGather::GatherPart(size_t part, size_t piece,
                                std::unique_ptr<ColumnBlock> block) {
  if (reader_.context().layout.parts[part].is_variable) {
    ROWFEED_ASSIGN_OR_RETURN(
        const VariableBlock* const kept,
        blocks_.KeepWanted(piece, part, std::move(block), split_->rows(piece)));
    split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
      builders_[segment.run]->GatherLengths(part, *kept, split_->places(segment));
    });
    return {};
  }
  const auto& fixed = static_cast<const FixedBlock&>(*block);
  Status status;
  split_->ForEach(piece, [&](const WindowSplit::Segment& segment) {
    if (!status.ok()) return;
    status =
        builders_[segment.run]->GatherFixed(part, fixed, split_->selection(segment));
  });
  return status;
}

std::vector<BatchBuilder::Slots> DirectGather::SlotsOf(size_t part) const {
  // One loop looks up all runs: every look-up misses the caches, and as none depends on
  // another, the CPU overlaps them.
  std::vector<BatchBuilder::Slots> slots;
  slots.reserve(runs_.size());
  for (size_t run = 0; run < runs_.size(); ++run) {
    slots.push_back(builders_[run]->SlotsOf(part, runs_[run]));
  }
  return slots;
}

void DirectGather::GatherRuns(size_t part, const uint8_t* rows) const {
  const std::vector<BatchBuilder::Slots> slots = SlotsOf(part);
  const int64_t width = reader_.context().layout.parts[part].gathered_bytes();
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    GatherRows(rows, permutation_.data() + run.begin, run.step, run.count, width,
               slots[i].begin, slots[i].step);
  }
}

Status DirectGather::GatherWindow(size_t spec, const std::atomic<bool>& cancelled) {
  const StreamContext& context = reader_.context();
  int64_t gather_ns = 0;
  ROWFEED_ASSIGN_OR_RETURN(const std::vector<Buffer> rows,
                           columns_.CopyWindow(spec, cancelled, &gather_ns));
  const Stopwatch watch;
  for (size_t i = 0; i < rows.size(); ++i) {
    GatherRuns(context.layout.first_parts[spec] + i, rows[i].data());
  }
  FenceRows();
  context.counters->Add(spec, ColumnCount::kGather, gather_ns + watch.ns());
  return {};
}

Status DirectGather::GatherBuckets(size_t spec, const std::atomic<bool>& cancelled) {
  const StreamContext& context = reader_.context();
  std::vector<std::vector<BatchBuilder::Slots>> slots;
  for (size_t part = context.layout.first_parts[spec];
       part < context.layout.first_parts[spec + 1]; ++part) {
    slots.push_back(SlotsOf(part));
  }
  int64_t gather_ns = 0;
  ROWFEED_RETURN_NOT_OK(
      buckets_->Gather(spec, std::move(slots), &columns_, cancelled, &gather_ns));
  const Stopwatch watch;
  FenceRows();
  context.counters->Add(spec, ColumnCount::kGather, gather_ns + watch.ns());
  return {};
}

Status DirectGather::GatherRun(size_t /*run*/, BatchBuilder* /*builder*/,
                               int64_t* /*column_ns*/) const {
  return {};
}

Status DirectGather::GatherUnits(size_t run, BatchBuilder* builder,
                                 int64_t* column_ns) const {
  return split_ ? blocks_.GatherUnits(*split_, run, builder, column_ns) : Status();
}

}  // namespace rowfeed
