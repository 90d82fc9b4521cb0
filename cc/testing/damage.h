// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_DAMAGE_H_
#define ROWFEED_TESTING_DAMAGE_H_

// For tests only: damaged column chunks.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "testing/chunk_fixture.h"

namespace rowfeed::testing {

// Returns `file` with a few damaged bytes in the chunk: bits are flipped, bytes are
// random or swapped. The first bytes are favoured, because page headers lie near the
// front.
inline std::string Damage(const TestChunk& chunk, const std::string& file,
                          std::mt19937_64* random) {
  std::string damaged = file;
  const auto place = [&] {
    const int64_t reach = (*random)() % 3 == 0 ? 60 : chunk.chunk.size;
    return chunk.chunk.offset + (*random)() % std::min(reach, chunk.chunk.size);
  };
  const int count = 1 + (*random)() % 4;
  for (int i = 0; i < count; ++i) {
    switch ((*random)() % 3) {
      case 0:
        damaged[place()] ^= static_cast<char>(1 << (*random)() % 8);
        break;
      case 1:
        damaged[place()] = static_cast<char>((*random)());
        break;
      default:
        std::swap(damaged[place()], damaged[place()]);
    }
  }
  return damaged;
}

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_DAMAGE_H_
