// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Measures what is done when a batch is complete. There are so many batches that their
// bytes lie in memory rather than in a cache, as in a stream. One item is one row.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"
#include "core/batch/interleave.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/variable_block.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

constexpr int64_t kBatchRows = 1024;

void InterleaveColumns(benchmark::State& state) {
  constexpr int64_t kBatches = 400;
  const int64_t width = state.range(0);
  const int64_t num_columns = state.range(1);
  const int64_t batch_bytes = kBatchRows * width * num_columns;
  const std::vector<uint8_t> in(kBatches * batch_bytes, 1);
  std::vector<uint8_t> out(in.size());
  std::vector<const uint8_t*> columns(num_columns);
  for (auto _ : state) {
    for (int64_t batch = 0; batch < kBatches; ++batch) {
      const uint8_t* next = in.data() + batch * batch_bytes;
      for (const uint8_t*& column : columns) {
        column = next;
        next += kBatchRows * width;
      }
      Interleave(columns, width, kBatchRows, out.data() + batch * batch_bytes);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBatches * kBatchRows);
}
BENCHMARK(InterleaveColumns)
    ->ArgNames({"width", "columns"})
    ->ArgsProduct({{4, 8}, {10, 40}});

// Gathers lists of int64 that are stored plain, or as indexes into a dictionary.
void GatherLists(benchmark::State& state) {
  const bool has_dictionary = state.range(0) != 0;
  const int64_t size = state.range(1);
  const int64_t num_rows = 8'000'000 / size;
  const std::vector<int64_t> dictionary(50'000, 1);
  const int64_t row_words = has_dictionary ? size : 2 * size;
  std::mt19937 random(7);
  std::vector<int32_t> words(num_rows * row_words);
  for (int32_t& word : words) word = static_cast<int32_t>(random() % 50'000);
  std::vector<parquet::ByteArray> rows;
  for (int64_t row = 0; row < num_rows; ++row) {
    rows.emplace_back(static_cast<uint32_t>(size),
                      reinterpret_cast<const uint8_t*>(words.data() + row * row_words));
  }
  std::shuffle(rows.begin(), rows.end(), random);
  const auto* slots_of_dictionary = reinterpret_cast<const uint8_t*>(dictionary.data());
  const auto block = has_dictionary
                         ? MakeListDictionaryBlock(num_rows, {sizeof(int64_t), 1},
                                                   rows.data(), slots_of_dictionary, {})
                         : MakeViewBlock(num_rows, sizeof(int64_t), rows.data(), {});
  std::vector<uint32_t> slots(num_rows);
  std::iota(slots.begin(), slots.end(), uint32_t{0});
  std::vector<int64_t> offsets(num_rows);
  for (int64_t row = 0; row < num_rows; ++row) offsets[row] = row * size;
  std::vector<uint8_t> out(num_rows * size * sizeof(int64_t));
  for (auto _ : state) {
    const Status status = static_cast<const VariableBlock&>(*block).Gather(
        {0, slots.data(), num_rows}, offsets.data(), out.data());
    if (!status.ok()) state.SkipWithError(status.message().c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * num_rows);
}
BENCHMARK(GatherLists)
    ->ArgNames({"dictionary", "elements"})
    ->ArgsProduct({{0, 1}, {20, 200}});

}  // namespace
}  // namespace rowfeed
