// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How the values of a window that is larger than the CPU's caches get into its batches.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/batch/bucket_gather.h"
#include "core/batch/gather_rows.h"
#include "core/io/buffer_pool.h"
#include "core/stopwatch.h"
#include "core/stream/window/window_load.h"

namespace rowfeed {
namespace {

constexpr int64_t kSize = BucketShuffle::kSize;

// A part that is being gathered. `rows` has its decoded rows that are in no bucket yet.
struct PartRows {
  int64_t width;
  Buffer rows;
  BucketGather gather;

  // Puts the first `num_rows` of `rows` into their buckets, in slices of kSize rows,
  // and moves the rest to the front.
  void AddSlices(int64_t num_rows) {
    int64_t row = 0;
    for (; row + kSize <= num_rows; row += kSize) gather.AddSlice(RowsAt(row));
    std::memmove(RowsAt(0), RowsAt(row), (num_rows - row) * width);
  }

  uint8_t* RowsAt(int64_t row) const { return rows.data() + row * width; }
};

}  // namespace

Status WindowLoad::GatherBuckets(const Task& task, const std::atomic<bool>& cancelled) {
  int64_t most_rows = 0;
  for (const Piece& piece : pieces_) most_rows = std::max(most_rows, piece.rows());
  std::vector<PartRows> parts;
  for (size_t part = context_->layout.first_parts[task.spec];
       part < context_->layout.first_parts[task.spec + 1]; ++part) {
    const int64_t width = context_->layout.parts[part].gathered_bytes();
    ROWFEED_ASSIGN_OR_RETURN(Buffer rows,
                             context_->buffers->Allocate((kSize + most_rows) * width));
    parts.push_back({width, std::move(rows),
                     BucketGather(&*buckets_, &runs_, SlotsOf(part), width)});
  }
  int64_t num_rows = 0;  // decoded rows that are in no bucket yet
  int64_t gather_ns = 0;
  for (size_t piece = 0; piece < pieces_.size(); ++piece) {
    std::vector<uint8_t*> out;
    out.reserve(parts.size());
    for (const PartRows& part : parts) out.push_back(part.RowsAt(num_rows));
    ROWFEED_RETURN_NOT_OK(CopyPiece(piece, task.spec, cancelled, out, &gather_ns));
    const Stopwatch watch;
    num_rows += pieces_[piece].rows();
    for (PartRows& part : parts) part.AddSlices(num_rows);
    num_rows %= kSize;
    gather_ns += watch.ns();
  }
  const Stopwatch watch;
  for (PartRows& part : parts) {
    if (num_rows > 0) part.gather.AddSlice(part.RowsAt(0));
    part.gather.Finish(part.RowsAt(0));
  }
  FenceRows();
  context_->counters->Add(task.spec, ColumnCount::kGather, gather_ns + watch.ns());
  return {};
}

}  // namespace rowfeed
