// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PROBLEMS_H_
#define ROWFEED_CORE_CATALOG_PROBLEMS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// Gathers what is wrong with many files, so that a user hears of all of it at once.
class Problems {
 public:
  // Keeps `status` unless it is OK.
  void Add(Status status) {
    if (status.ok()) return;
    ++count_;
    if (first_.size() < kMaxShown) first_.push_back(std::move(status));
  }

  size_t count() const { return count_; }

  // OK if there were none, the problem if there was one; else the code of the first and
  // the first five messages.
  Status ToStatus() const {
    if (count_ == 0) return {};
    if (count_ == 1) return first_.front();
    std::string message = std::to_string(count_) + " problems:";
    for (const Status& status : first_) message += "\n  " + status.message();
    if (count_ > first_.size()) {
      message += "\n  and " + std::to_string(count_ - first_.size()) + " more";
    }
    return {first_.front().code(), std::move(message)};
  }

 private:
  static constexpr size_t kMaxShown = 5;
  size_t count_ = 0;
  std::vector<Status> first_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PROBLEMS_H_
