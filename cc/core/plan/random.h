// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_RANDOM_H_
#define ROWFEED_CORE_PLAN_RANDOM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace rowfeed {

// All of this file is part of the order of rows: a change that returns other numbers,
// or uses them in another order, must increase kOrderVersion. Golden tests check the
// order.
inline constexpr int kOrderVersion = 1;

// A generator of random numbers: SplitMix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", 2014).
class Random {
 public:
  // Hashes the words of the key into one state, so that neighbouring seeds, epochs,
  // lanes and windows get unrelated sequences.
  Random(std::initializer_list<uint64_t> key) {
    for (const uint64_t word : key) state_ = Mix(state_ ^ Mix(word + kGamma));
  }

  uint64_t Next() { return Mix(state_ += kGamma); }

  // Returns a number that is uniform in [0, n), n > 0, without bias (Lemire: "Fast
  // random integer generation in an interval", 2019).
  uint64_t Below(uint64_t n) {
    auto product = static_cast<unsigned __int128>(Next()) * n;
    if (static_cast<uint64_t>(product) < n) {
      const uint64_t threshold = -n % n;
      while (static_cast<uint64_t>(product) < threshold) {
        product = static_cast<unsigned __int128>(Next()) * n;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // Shuffles by Fisher-Yates, from the last element down. The elements to swap are
  // anywhere in memory, so the numbers for several steps are drawn at once, and their
  // elements prefetched before they are swapped.
  template <typename T>
  void Shuffle(T* values, size_t size) {
    std::array<size_t, 64> drawn;
    while (size > 1) {
      const size_t steps = std::min(drawn.size(), size - 1);
      for (size_t i = 0; i < steps; ++i) {
        drawn[i] = Below(size - i);
        __builtin_prefetch(values + drawn[i], 1);
      }
      for (size_t i = 0; i < steps; ++i) std::swap(values[--size], values[drawn[i]]);
    }
  }

 private:
  static constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;

  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_RANDOM_H_
