// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Decodes the levels of a page by rowfeed and by Arrow. Input: the greatest level, the
// number of values, then the runs.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/decode/pages/level_runs.h"
#include "parquet/column_reader.h"

namespace rowfeed {
namespace {

std::vector<int16_t> LevelsByArrow(int16_t max_level, const std::vector<uint8_t>& runs,
                                   int num_values) {
  parquet::LevelDecoder decoder;
  decoder.SetDataV2(static_cast<int32_t>(runs.size()), max_level, num_values,
                    runs.data());
  std::vector<int16_t> levels(num_values);
  try {
    levels.resize(decoder.Decode(num_values, levels.data()));
  } catch (const std::exception&) {
    levels.clear();
  }
  return levels;
}

void Compare(int16_t max_level, int num_values, const std::vector<uint8_t>& runs) {
  std::vector<int16_t> levels(num_values);
  const bool are_sound = DecodeLevels(max_level, runs, num_values, levels.data()).ok();
  const auto starts = CountRowStarts(max_level, runs, num_values);
  PooledArray<int32_t> places(BufferPool::Make(1 << 20));
  const bool has_places =
      max_level == 1 && AppendRowStarts(runs, num_values, &places).ok();
  if (!are_sound) return;
  if (levels != LevelsByArrow(max_level, runs, num_values)) std::abort();
  int64_t zeros = 0, tops = 0;
  for (const int16_t level : levels) {
    zeros += level == 0;
    tops += level == max_level;
  }
  if (!starts.ok() || *starts != zeros) std::abort();
  if (has_places && static_cast<int64_t>(places.size()) != zeros) std::abort();
  if (max_level == 1 && !has_places) std::abort();
  if (AllLevelsAre(max_level, max_level, runs, num_values) && tops != num_values) {
    std::abort();
  }
}

}  // namespace
}  // namespace rowfeed

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kHeader = 3;
  if (size <= kHeader) return -1;
  const int num_values = (data[1] | data[2] << 8) % 5000;
  const auto max_level = static_cast<int16_t>(1 + data[0] % 20);
  rowfeed::Compare(max_level, num_values, {data + kHeader, data + size});
  return 0;
}
