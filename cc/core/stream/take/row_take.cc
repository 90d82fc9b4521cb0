// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/take/row_take.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/decode/blocks/provenance_block.h"
#include "core/guarded.h"

namespace rowfeed {
namespace {

// How often a waiting take asks whether it was interrupted.
constexpr std::chrono::milliseconds kPoll(100);

}  // namespace

RowTake::RowTake(const TakeContext& context, const std::vector<int64_t>& rows)
    : context_(context),
      builder_(&context.layout->parts, std::ssize(rows), std::ssize(rows),
               /*with_valid=*/false, /*num_lanes=*/1, context.buffers) {
  Sort(rows);
}

void RowTake::Sort(const std::vector<int64_t>& rows) {
  slots_.resize(rows.size());
  std::iota(slots_.begin(), slots_.end(), 0);
  if (std::is_sorted(rows.begin(), rows.end())) {
    sorted_ = rows;
    return;
  }
  // Rows and their slots are sorted as pairs, which are neighbours in memory. Comparing
  // rows through indexes would look them up elsewhere.
  std::vector<std::pair<int64_t, uint32_t>> pairs(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) pairs[i] = {rows[i], slots_[i]};
  std::sort(pairs.begin(), pairs.end());
  sorted_.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) std::tie(sorted_[i], slots_[i]) = pairs[i];
}

int64_t RowTake::group_begin(int64_t row_group) const {
  return row_group == 0 ? 0 : (*context_.group_ends)[row_group - 1];
}

Result<Batch> RowTake::Run(const std::function<bool()>& interrupted) {
  ROWFEED_RETURN_NOT_OK(builder_.Allocate());
  Status status = RunGuarded([this] { return GatherAll(); });
  if (!status.ok()) End(status);
  ROWFEED_RETURN_NOT_OK(Wait(interrupted));
  if (context_.layout->has_variable_parts() || context_.layout->has_stacks()) {
    status = RunGuarded([this] { return Assemble(); });
    if (!status.ok()) End(status);
    ROWFEED_RETURN_NOT_OK(Wait(interrupted));
    builder_.SumLengths();
    builder_.FillStacks();
  }
  return builder_.Finish();
}

Status RowTake::GatherAll() {
  const std::vector<int64_t>& ends = *context_.group_ends;
  int64_t begin = 0;
  while (begin < std::ssize(sorted_)) {
    const auto group = std::upper_bound(ends.begin(), ends.end(), sorted_[begin]);
    const int64_t end =
        std::lower_bound(sorted_.begin() + begin, sorted_.end(), *group) -
        sorted_.begin();
    for (size_t spec = 0; spec < context_.columns->size(); ++spec) {
      const Span span{group - ends.begin(), spec, begin, end};
      ROWFEED_RETURN_NOT_OK(GatherChunk(span, /*in_task=*/false));
    }
    begin = end;
  }
  return {};
}

Status RowTake::GatherChunk(const Span& span, bool in_task) {
  if ((*context_.columns)[span.spec].provenance) return GatherProvenance(span);
  auto chunk = context_.cache->FindChunk(span.row_group, span.spec);
  if (!chunk && !in_task) {
    Submit([this, span] { return GatherChunk(span, /*in_task=*/true); });
    return {};
  }
  if (!chunk) {
    ROWFEED_ASSIGN_OR_RETURN(chunk,
                             context_.cache->GetChunk(span.row_group, span.spec));
  }
  return GatherBlocks(span, chunk);
}

Status RowTake::GatherBlocks(const Span& span,
                             const std::shared_ptr<const ChunkBlocks>& chunk) {
  const int64_t first_row = group_begin(span.row_group);
  Span rest = span;
  while (rest.begin < span.end) {
    const size_t index = chunk->BlockOf(sorted_[rest.begin] - first_row);
    rest.end = span.end;
    if (index + 1 < chunk->begins.size()) {
      rest.end =
          std::lower_bound(sorted_.begin() + rest.begin, sorted_.begin() + span.end,
                           first_row + chunk->begins[index + 1]) -
          sorted_.begin();
    }
    auto block =
        context_.cache->FindBlock(rest.row_group, rest.spec, chunk->begins[index]);
    if (block) {
      ROWFEED_RETURN_NOT_OK(GatherBlock(rest, block));
    } else {
      Submit([this, rest, chunk, index] { return DecodeBlock(rest, *chunk, index); });
    }
    rest.begin = rest.end;
  }
  return {};
}

Status RowTake::DecodeBlock(const Span& span, const ChunkBlocks& chunk, size_t index) {
  auto block =
      context_.cache->GetBlock(span.row_group, span.spec, chunk, index, cancelled_);
  if (block.ok()) return GatherBlock(span, *block);
  const StatusCode code = block.status().code();
  if (code == StatusCode::kCancelled || code == StatusCode::kOutOfMemory ||
      code == StatusCode::kUnavailable) {
    return block.status();
  }
  // The error may be in a row that was not requested, so the requested rows are decoded
  // alone.
  const int64_t first_row = group_begin(span.row_group);
  Span run = span;
  for (; run.begin < span.end; run.begin = run.end) {
    run.end = run.begin + 1;
    while (run.end < span.end && sorted_[run.end] <= sorted_[run.end - 1] + 1) {
      ++run.end;
    }
    ROWFEED_ASSIGN_OR_RETURN(
        const auto rows,
        context_.cache->Decode({span.row_group, sorted_[run.begin] - first_row,
                                sorted_[run.end - 1] + 1 - first_row},
                               span.spec, chunk.pages, cancelled_));
    ROWFEED_RETURN_NOT_OK(GatherBlock(run, rows));
  }
  return {};
}

Status RowTake::GatherProvenance(const Span& span) {
  const RowGroup& group = context_.catalog->row_groups()[span.row_group];
  auto block = std::make_shared<DecodedBlock>();
  block->parts.push_back(MakeProvenanceBlock(*(*context_.columns)[span.spec].provenance,
                                             group, block->begin, group.rows));
  return GatherBlock(span, block);
}

Status RowTake::GatherBlock(const Span& span,
                            const std::shared_ptr<const DecodedBlock>& block) {
  const Stopwatch watch;
  const int64_t size = span.end - span.begin;
  const int64_t first_row = group_begin(span.row_group) + block->begin;
  const uint32_t* slots = slots_.data() + span.begin;
  std::vector<uint32_t> rows(size);
  for (int64_t i = 0; i < size; ++i) {
    rows[i] = static_cast<uint32_t>(sorted_[span.begin + i] - first_row);
  }
  const Selection selection{rows.data(), slots, size};
  const size_t first_part = context_.layout->first_parts[span.spec];
  for (size_t i = 0; i < block->parts.size(); ++i) {
    const Part& part = context_.layout->parts[first_part + i];
    if (!part.is_variable) {
      ROWFEED_RETURN_NOT_OK(builder_.GatherFixed(
          first_part + i, static_cast<const FixedBlock&>(*block->parts[i]), selection));
      continue;
    }
    ROWFEED_ASSIGN_OR_RETURN(
        KeptRows kept,
        KeptRows::Keep({span.row_group, span.spec, first_part + i}, block, i, selection,
                       part.unit_bytes, context_.buffers));
    kept.GatherLengths(&builder_);
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(kept));
  }
  context_.counters->Add(span.spec, ColumnCount::kGather, watch.ns());
  return {};
}

Status RowTake::Assemble() {
  ROWFEED_RETURN_NOT_OK(builder_.AllocateUnits());
  for (const KeptRows& kept : kept_) {
    const auto gather = [this, &kept] {
      const KeptRows::Source& source = kept.source();
      return kept.GatherUnits(&builder_).WithContext(context_.catalog->Where(
          source.row_group, *context_.layout->columns[source.spec].index));
    };
    if (kept.reads_file()) {
      Submit(gather);
    } else {
      ROWFEED_RETURN_NOT_OK(gather());
    }
  }
  return {};
}

void RowTake::Submit(std::function<Status()> work) {
  {
    const std::lock_guard lock(mutex_);
    ++num_tasks_;
  }
  auto task = [this, work = std::move(work)](size_t) mutable {
    if (!cancelled_) {
      const TaskTimer timer(context_.counters);
      const Status status = RunGuarded(work);
      if (!status.ok()) End(status);
    }
    work = nullptr;
    EndTask();
  };
  try {
    context_.tasks->Submit(context_.position, /*num_tasks=*/1, std::move(task));
  } catch (...) {
    EndTask();
    throw;
  }
}

void RowTake::EndTask() {
  // This notifies with the mutex held: once it is released, the take may be gone.
  const std::lock_guard lock(mutex_);
  if (--num_tasks_ == 0) ended_.notify_all();
}

void RowTake::End(const Status& status) {
  const std::lock_guard lock(mutex_);
  if (status_.ok()) status_ = status;
  cancelled_ = true;
}

Status RowTake::Wait(const std::function<bool()>& interrupted) {
  std::unique_lock lock(mutex_);
  while (num_tasks_ > 0) {
    ended_.wait_for(lock, kPoll);
    if (num_tasks_ == 0 || !interrupted || cancelled_) continue;
    lock.unlock();
    if (interrupted()) End(Status(StatusCode::kCancelled, "the take was interrupted"));
    lock.lock();
  }
  return status_;
}

}  // namespace rowfeed
