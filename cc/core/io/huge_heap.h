// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_HUGE_HEAP_H_
#define ROWFEED_CORE_IO_HUGE_HEAP_H_

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace rowfeed {

// Cuts memory out of regions that ask for huge pages, so that buffers far smaller than
// a huge page share them: rows gathered at random then miss the TLB much less. Takes
// the smallest free span that is large enough. Not thread-safe.
class HugeHeap {
 public:
  HugeHeap() = default;
  HugeHeap(const HugeHeap&) = delete;
  HugeHeap& operator=(const HugeHeap&) = delete;
  // Frees everything.
  ~HugeHeap();

  // More than 0 bytes; 64-byte-aligned if all sizes are multiples of 64. nullptr if the
  // system has none.
  uint8_t* Allocate(int64_t size);
  // What Allocate(size) returned. Huge pages of which nothing is in use go back to the
  // system. Throws nothing.
  void Free(uint8_t* data, int64_t size);

 private:
  using Spans = std::map<uint8_t*, int64_t>;  // their sizes, by where they begin

  bool AddRegion(int64_t size);
  // False where there is no memory to note it: then nobody gets it again, and it goes
  // with the heap.
  bool AddSpan(uint8_t* data, int64_t size);
  void RemoveSpan(Spans::iterator span);

  Spans regions_;
  Spans free_;
  std::set<std::pair<int64_t, uint8_t*>> free_by_size_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_HUGE_HEAP_H_
