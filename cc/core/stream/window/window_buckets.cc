// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_buckets.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/batch/bucket_gather.h"
#include "core/io/buffer_pool.h"
#include "core/stopwatch.h"

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

WindowBuckets::WindowBuckets(const WindowReader* reader,
                             const std::vector<uint32_t>& permutation,
                             const std::vector<Run>* runs)
    : reader_(*reader), runs_(*runs), shuffle_(permutation, *runs) {}

Status WindowBuckets::Gather(size_t spec,
                             std::vector<std::vector<BatchBuilder::Slots>> slots,
                             WholeColumns* columns, const std::atomic<bool>& cancelled,
                             int64_t* gather_ns) const {
  const StreamContext& context = reader_.context();
  const std::vector<Piece>& pieces = reader_.pieces();
  int64_t most_rows = 0;
  for (const Piece& piece : pieces) most_rows = std::max(most_rows, piece.rows());
  std::vector<PartRows> parts;
  for (size_t i = 0; i < slots.size(); ++i) {
    const Part& part = context.layout.parts[context.layout.first_parts[spec] + i];
    const int64_t width = part.gathered_bytes();
    ROWFEED_ASSIGN_OR_RETURN(Buffer rows,
                             context.buffers->Allocate((kSize + most_rows) * width));
    parts.push_back({width, std::move(rows),
                     BucketGather(&shuffle_, &runs_, std::move(slots[i]), width)});
  }
  int64_t num_rows = 0;  // decoded rows that are in no bucket yet
  for (size_t piece = 0; piece < pieces.size(); ++piece) {
    std::vector<uint8_t*> out;
    out.reserve(parts.size());
    for (const PartRows& part : parts) out.push_back(part.RowsAt(num_rows));
    ROWFEED_RETURN_NOT_OK(columns->CopyPiece(piece, spec, cancelled, out, gather_ns));
    const Stopwatch watch;
    num_rows += pieces[piece].rows();
    for (PartRows& part : parts) part.AddSlices(num_rows);
    num_rows %= kSize;
    *gather_ns += watch.ns();
  }
  const Stopwatch watch;
  for (PartRows& part : parts) {
    if (num_rows > 0) part.gather.AddSlice(part.RowsAt(0));
    part.gather.Finish(part.RowsAt(0));
  }
  *gather_ns += watch.ns();
  return {};
}

}  // namespace rowfeed
