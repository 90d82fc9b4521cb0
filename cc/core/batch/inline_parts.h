// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_INLINE_PARTS_H_
#define ROWFEED_CORE_BATCH_INLINE_PARTS_H_

#include <atomic>
#include <cstddef>
#include <vector>

#include "core/decode/part.h"

namespace rowfeed {

// The parts whose strings batches hold inline: those that may, until one of them has
// had a string that is too long, as the next batches will have more. Thread-safe.
class InlineParts {
 public:
  explicit InlineParts(const std::vector<Part>& parts) : is_inline_(parts.size()) {
    for (size_t i = 0; i < parts.size(); ++i) is_inline_[i] = parts[i].may_be_inline;
  }

  bool contains(size_t part) const { return is_inline_[part]; }
  void Remove(size_t part) { is_inline_[part] = false; }

 private:
  std::vector<std::atomic<bool>> is_inline_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_INLINE_PARTS_H_
