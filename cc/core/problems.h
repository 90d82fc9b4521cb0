// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PROBLEMS_H_
#define ROWFEED_CORE_PROBLEMS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// Whether after this error all that follows would fail in the same way, maybe after as
// long a wait: a store does not answer, or the work was cancelled.
inline bool EndsAll(const Status& status) {
  return status.code() == StatusCode::kUnavailable ||
         status.code() == StatusCode::kCancelled;
}

// Gathers the errors of many files, so that a user sees all of them at once.
class Problems {
 public:
  // Keeps `status` unless it is OK.
  void Add(Status status) {
    if (status.ok()) return;
    if (EndsAll(status) && end_.ok()) end_ = status;
    ++count_;
    if (first_.size() < kMaxShown) first_.push_back(std::move(status));
  }

  size_t count() const { return count_; }
  // Whether one of the errors EndsAll.
  bool is_over() const { return !end_.ok(); }

  // Returns OK if there were no errors, and the error itself if there was only one or
  // it EndsAll. Else returns the code of the first error and the first five messages.
  Status ToStatus() const {
    if (count_ == 0) return {};
    if (is_over()) return end_;
    if (count_ == 1) return first_.front();
    std::vector<std::string> lines{std::to_string(count_) + " problems:"};
    for (const Status& status : first_) lines.push_back(status.message());
    if (count_ > first_.size()) {
      lines.push_back("and " + std::to_string(count_ - first_.size()) + " more");
    }
    return Status::OfLines(first_.front().code(), lines);
  }

 private:
  static constexpr size_t kMaxShown = 5;
  size_t count_ = 0;
  std::vector<Status> first_;
  Status end_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PROBLEMS_H_
