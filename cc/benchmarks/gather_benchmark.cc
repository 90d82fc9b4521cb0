// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Gathers the rows of a decoded window at random into batches. One item is one row.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"
#include "core/batch/batch_builder.h"
#include "core/batch/bucket_gather.h"
#include "core/batch/bucket_shuffle.h"
#include "core/batch/gather_rows.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/fixed_block.h"

namespace rowfeed {
namespace {

constexpr int64_t kBatchRows = 1024;

std::vector<uint32_t> Permutation(int64_t size) {
  std::vector<uint32_t> rows(size);
  std::iota(rows.begin(), rows.end(), uint32_t{0});
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(7));
  return rows;
}

// Gathers a narrow column: from the whole window, batch by batch.
void GatherWindow(benchmark::State& state) {
  const int64_t width = state.range(0);
  const int64_t num_rows = state.range(1);
  const std::vector<uint8_t> window(num_rows * width, 1);
  const std::vector<uint32_t> order = Permutation(num_rows);
  std::vector<uint8_t> batches(num_rows * width + 64);
  uint8_t* out = batches.data() + 64 - reinterpret_cast<uintptr_t>(batches.data()) % 64;
  for (auto _ : state) {
    for (int64_t row = 0; row < num_rows; row += kBatchRows) {
      GatherRows(window.data(), order.data() + row,
                 std::min(kBatchRows, num_rows - row), width, out + row * width);
    }
    FenceRows();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * num_rows);
}
BENCHMARK(GatherWindow)
    ->ArgNames({"width", "rows"})
    ->ArgsProduct({{1, 2, 4, 8, 16}, {100'000, 400'000}})
    ->ArgsProduct({{4, 8}, {8'388'608}});

// Gathers a narrow column of a large window through buckets.
void GatherBuckets(benchmark::State& state) {
  const int64_t width = state.range(0);
  const int64_t num_rows = state.range(1);
  const std::vector<uint8_t> window(num_rows * width, 1);
  std::vector<uint8_t> batches(num_rows * width);
  std::vector<Run> runs;
  std::vector<BatchBuilder::Slots> slots;
  for (int64_t row = 0; row < num_rows; row += kBatchRows) {
    runs.push_back({std::ssize(runs), row, 1, kBatchRows, 0, 1});
    slots.push_back({batches.data() + row * width, 1});
  }
  const BucketShuffle shuffle(Permutation(num_rows), runs);
  std::vector<uint8_t> scratch(BucketShuffle::kSize * width);
  for (auto _ : state) {
    BucketGather gather(&shuffle, &runs, slots, width);
    for (int64_t row = 0; row < num_rows; row += BucketShuffle::kSize) {
      gather.AddSlice(window.data() + row * width);
    }
    gather.Finish(scratch.data());
    FenceRows();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * num_rows);
}
BENCHMARK(GatherBuckets)
    ->ArgNames({"width", "rows"})
    ->ArgsProduct({{4, 8}, {8'388'608}});

// Gathers a wide column: one row group after the other, each row to its slot.
void GatherPiece(benchmark::State& state) {
  const int64_t width = state.range(0);
  const int64_t num_rows = state.range(1);
  const std::vector<uint8_t> rows(num_rows * width, 1);
  const auto block = MakeContiguousBlock(num_rows, width, rows.data(), {});
  const std::vector<uint32_t> order = Permutation(num_rows);
  std::vector<uint32_t> slots(num_rows);
  std::iota(slots.begin(), slots.end(), uint32_t{0});
  std::vector<uint8_t> out(num_rows * width);
  for (auto _ : state) {
    const Status status = static_cast<const FixedBlock&>(*block).Gather(
        {order.data(), slots.data(), num_rows}, out.data());
    if (!status.ok()) state.SkipWithError(status.message().c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * num_rows);
}
BENCHMARK(GatherPiece)
    ->ArgNames({"width", "rows"})
    ->ArgsProduct({{64, 400, 4096}, {10'000}});

}  // namespace
}  // namespace rowfeed
