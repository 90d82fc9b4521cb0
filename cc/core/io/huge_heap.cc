// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/huge_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>

namespace rowfeed {
namespace {

constexpr int64_t kSpanAlignment = 64;
constexpr int64_t kHugePage = int64_t{2} << 20;
#ifdef ROWFEED_GUARDED_SPANS
constexpr int64_t kRegionBytes = 0;  // each span is a region, with guards at its ends
#else
constexpr int64_t kRegionBytes = int64_t{32} << 20;
#endif

uint8_t* AllocateRegion(int64_t size) {
  void* data = nullptr;
  const int64_t alignment = size >= kHugePage ? kHugePage : kSpanAlignment;
  if (posix_memalign(&data, alignment, size) != 0) return nullptr;
  if (size >= kHugePage) madvise(data, size, MADV_HUGEPAGE);
  return static_cast<uint8_t*>(data);
}

// Returns the number of bytes from `address` to the next huge page.
int64_t ToHugePage(const uint8_t* address) {
  return -static_cast<int64_t>(reinterpret_cast<uintptr_t>(address)) & (kHugePage - 1);
}

// Gives the huge pages that lie entirely in [begin, end) back to the system.
void DropPages(uint8_t* begin, const uint8_t* end) {
  begin += ToHugePage(begin);
  const int64_t size = (end - begin) / kHugePage * kHugePage;
  if (size > 0) madvise(begin, size, MADV_DONTNEED);
}

}  // namespace

HugeHeap::~HugeHeap() {
  for (const auto& [data, size] : regions_) std::free(data);
}

uint8_t* HugeHeap::Allocate(int64_t size) {
  auto best = free_by_size_.lower_bound({size, nullptr});
  if (best == free_by_size_.end()) {
    if (!AddRegion(std::max(size, kRegionBytes)) && !AddRegion(size)) return nullptr;
    best = free_by_size_.lower_bound({size, nullptr});
  }
  const auto [span_size, data] = *best;
  RemoveSpan(free_.find(data));
  if (span_size > size) AddSpan(data + size, span_size - size);
  return data;
}

void HugeHeap::Free(uint8_t* data, int64_t size) {
  uint8_t* begin = data;
  uint8_t* end = data + size;
  const auto next = free_.lower_bound(end);
  if (next != free_.begin() && !regions_.contains(begin)) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      begin = before->first;
      RemoveSpan(before);
    }
  }
  if (next != free_.end() && next->first == end && !regions_.contains(end)) {
    end += next->second;
    RemoveSpan(next);
  }
  const auto region = regions_.find(begin);
  if (region != regions_.end() && begin + region->second == end) {
    std::free(begin);
    regions_.erase(region);
    return;
  }
  // Spans that were free before have given back their whole huge pages already, so only
  // the neighbourhood of this span is looked at.
  DropPages(std::max(begin, data - kHugePage), std::min(end, data + size + kHugePage));
  AddSpan(begin, end - begin);
}

bool HugeHeap::AddRegion(int64_t size) {
  uint8_t* data = AllocateRegion(size);
  if (data == nullptr) return false;
  try {
    regions_.emplace(data, size);
  } catch (const std::bad_alloc&) {
    std::free(data);
    return false;
  }
  return AddSpan(data, size);
}

bool HugeHeap::AddSpan(uint8_t* data, int64_t size) {
  try {
    free_.emplace(data, size);
    free_by_size_.emplace(size, data);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void HugeHeap::RemoveSpan(Spans::iterator span) {
  free_by_size_.erase({span->second, span->first});
  free_.erase(span);
}

}  // namespace rowfeed
