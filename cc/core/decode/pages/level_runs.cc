// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/level_runs.h"

#include <algorithm>
#include <bit>

#include "core/arrow_status.h"
#include "parquet/column_reader.h"

namespace rowfeed {
namespace {

struct LevelRun {
  int64_t size = 0;  // number of levels
  bool is_packed = false;
  uint8_t value = 0;  // the level of the whole run, unless packed
  // The packed levels, lowest bits first. Shorter than `size` levels where the data
  // ends before.
  Bytes packed;
};

// Reads the runs of levels of 1 to 8 bits, one after the other.
class RunReader {
 public:
  RunReader(Bytes runs, int bit_width) : runs_(runs), bit_width_(bit_width) {}

  // Returns false at the end of the data, and also where a run is cut off.
  bool Next(LevelRun* run) {
    uint64_t header = 0;
    for (int shift = 0;; shift += 7) {
      if (runs_.empty() || shift > 28) return false;
      const uint8_t byte = runs_.front();
      runs_ = runs_.subspan(1);
      header |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    run->size = static_cast<int64_t>(header >> 1);
    run->is_packed = (header & 1) != 0;
    if (run->is_packed) {
      // The last group of 8 levels may be cut short: writers may leave out its unused
      // end.
      const size_t stored = std::min<size_t>(run->size * bit_width_, runs_.size());
      run->size *= 8;
      run->packed = runs_.first(stored);
      runs_ = runs_.subspan(stored);
      return true;
    }
    if (runs_.empty()) return false;
    run->value = runs_.front();
    runs_ = runs_.subspan(1);
    return true;
  }

 private:
  Bytes runs_;
  int bit_width_;
};

// Appends the positions of the zeros among `size` levels of one bit each. `begin` is
// the position of the first.
void AppendZeros(Bytes packed, int64_t begin, int64_t size,
                 PooledArray<int32_t>* starts) {
  for (int64_t i = 0; i < size; i += 8) {
    uint32_t zeros = ~packed[i / 8] & 0xffu;
    if (size - i < 8) zeros &= (1u << (size - i)) - 1;
    for (; zeros != 0; zeros &= zeros - 1) {
      starts->Append(static_cast<int32_t>(begin + i + std::countr_zero(zeros)));
    }
  }
}

int64_t CountZeros(Bytes packed, int bit_width, int64_t size) {
  int64_t zeros = 0;
  if (bit_width == 1) {
    for (int64_t i = 0; i < size; i += 8) {
      uint32_t bits = ~packed[i / 8] & 0xffu;
      if (size - i < 8) bits &= (1u << (size - i)) - 1;
      zeros += std::popcount(bits);
    }
    return zeros;
  }
  const uint32_t mask = (1u << bit_width) - 1;
  uint32_t bits = 0;
  int num_bits = 0;
  size_t next = 0;
  for (int64_t i = 0; i < size; ++i) {
    if (num_bits < bit_width) {
      bits |= uint32_t{packed[next++]} << num_bits;
      num_bits += 8;
    }
    if ((bits & mask) == 0) ++zeros;
    bits >>= bit_width;
    num_bits -= bit_width;
  }
  return zeros;
}

Status TooFewRepetitionLevels(int64_t found, int64_t expected) {
  return Status::Corrupt("a page has ", found, " repetition levels, expected ",
                         expected);
}

}  // namespace

bool AllLevelsAre(int16_t level, int16_t max_level, Bytes runs, int64_t num_values) {
  const int bit_width = std::bit_width(static_cast<uint16_t>(max_level));
  if (bit_width > 8) return false;
  RunReader reader(runs, bit_width);
  LevelRun run;
  while (num_values > 0 && reader.Next(&run)) {
    if (run.is_packed || run.value != level) return false;
    num_values -= run.size;
  }
  return num_values <= 0;
}

Status AppendRowStarts(Bytes runs, int64_t num_values, PooledArray<int32_t>* starts) {
  RunReader reader(runs, /*bit_width=*/1);
  LevelRun run;
  int64_t position = 0;
  while (position < num_values && reader.Next(&run)) {
    const int64_t size = std::min(run.size, num_values - position);
    if (run.is_packed) {
      if (static_cast<int64_t>(run.packed.size()) * 8 < size) break;
      ROWFEED_RETURN_NOT_OK(starts->Reserve(starts->size() + size));
      AppendZeros(run.packed, position, size, starts);
    } else if (run.value == 0) {
      ROWFEED_RETURN_NOT_OK(starts->Reserve(starts->size() + size));
      for (int64_t i = 0; i < size; ++i) {
        starts->Append(static_cast<int32_t>(position + i));
      }
    } else if (run.value != 1) {
      return Status::Corrupt("a repetition level of ", int{run.value},
                             ", expected 0 or 1");
    }
    position += size;
  }
  return position < num_values ? TooFewRepetitionLevels(position, num_values)
                               : Status();
}

Result<int64_t> CountRowStarts(int16_t max_level, Bytes runs, int64_t num_values) {
  const int bit_width = std::bit_width(static_cast<uint16_t>(max_level));
  RunReader reader(runs, bit_width);
  LevelRun run;
  int64_t position = 0;
  int64_t starts = 0;
  while (position < num_values && reader.Next(&run)) {
    const int64_t size = std::min(run.size, num_values - position);
    if (run.is_packed) {
      if (static_cast<int64_t>(run.packed.size()) * 8 < size * bit_width) break;
      starts += CountZeros(run.packed, bit_width, size);
    } else if (run.value == 0) {
      starts += size;
    }
    position += size;
  }
  if (position < num_values) return TooFewRepetitionLevels(position, num_values);
  return starts;
}

Status DecodeLevels(int16_t max_level, Bytes runs, int64_t num_values,
                    int16_t* levels) {
  return CatchParquet([&]() -> Status {
    parquet::LevelDecoder decoder;
    decoder.SetDataV2(static_cast<int32_t>(runs.size()), max_level,
                      static_cast<int>(num_values), runs.data());
    const int found = decoder.Decode(static_cast<int>(num_values), levels);
    if (found == num_values) return {};
    return Status::Corrupt("a page has ", found, " definition levels, expected ",
                           num_values);
  });
}

}  // namespace rowfeed
