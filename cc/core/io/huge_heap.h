// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_HUGE_HEAP_H_
#define ROWFEED_CORE_IO_HUGE_HEAP_H_

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace rowfeed {

// A heap that cuts memory out of large regions, for which it asks the system for huge
// pages. So buffers far smaller than a huge page share huge pages, and gathering rows
// at random misses the TLB much less. Takes the smallest free span that is large
// enough. Not thread-safe.
class HugeHeap {
 public:
  HugeHeap() = default;
  HugeHeap(const HugeHeap&) = delete;
  HugeHeap& operator=(const HugeHeap&) = delete;
  // Frees everything.
  ~HugeHeap();

  // Returns `size` bytes (more than 0), aligned to 64 bytes if all sizes are multiples
  // of 64. nullptr if the system has no memory.
  uint8_t* Allocate(int64_t size);
  // Frees what Allocate(size) returned. Huge pages of which no part is in use go back
  // to the system. Does not throw.
  void Free(uint8_t* data, int64_t size);

 private:
  using Spans = std::map<uint8_t*, int64_t>;  // size of each span, by where it begins

  bool AddRegion(int64_t size);
  // Adds a free span. False if there is no memory to record it: the span is then lost
  // until the heap is destroyed.
  bool AddSpan(uint8_t* data, int64_t size);
  void RemoveSpan(Spans::iterator span);

  Spans regions_;
  Spans free_;
  std::set<std::pair<int64_t, uint8_t*>> free_by_size_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_HUGE_HEAP_H_
