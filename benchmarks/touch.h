// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_BENCHMARKS_TOUCH_H_
#define ROWFEED_BENCHMARKS_TOUCH_H_

#include <stddef.h>
#include <stdint.h>

// What every consumer of the benchmarks does with every tensor: one read of every 64 bytes,
// so that no loader gains by handing over memory that nobody has looked at.
static inline uint64_t TouchBytes(const void* data, size_t size) {
  const volatile uint8_t* bytes = (const volatile uint8_t*)data;
  uint64_t sum = 0;
  for (size_t i = 0; i < size; i += 64) sum += bytes[i];
  return sum;
}

#endif  // ROWFEED_BENCHMARKS_TOUCH_H_
