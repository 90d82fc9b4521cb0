// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_TIMED_FILE_H_
#define ROWFEED_CORE_STREAM_STATS_TIMED_FILE_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/random_access_file.h"
#include "core/stopwatch.h"

namespace rowfeed {

// A file that counts its reads, their bytes, and how long its readers wait for them.
// Thread-safe.
class TimedFile final : public RandomAccessFile {
 public:
  struct Reads {
    int64_t num_reads = 0;
    int64_t bytes = 0;  // bytes requested by these reads
    int64_t ns = 0;     // time that threads waited for these reads
  };

  // `file` must outlive this object.
  explicit TimedFile(const RandomAccessFile* file) : file_(file) {}

  Status Read(const std::vector<ReadRequest>& requests) const override {
    const Stopwatch watch;
    Status status = file_->Read(requests);
    ns_.fetch_add(watch.ns(), std::memory_order_relaxed);
    bytes_.fetch_add(TotalBytes(requests), std::memory_order_relaxed);
    num_reads_.fetch_add(NumReads(requests), std::memory_order_relaxed);
    return status;
  }
  bool IsInPageCache(int64_t offset) const override {
    return file_->IsInPageCache(offset);
  }
  bool is_remote() const override { return file_->is_remote(); }
  const FileVersion& version() const override { return file_->version(); }
  const std::string& path() const override { return file_->path(); }

  // Returns the sums over all reads since the last call of Take, and sets the sums to
  // zero.
  Reads Take() const {
    if (num_reads_.load(std::memory_order_relaxed) == 0) return {};
    return {num_reads_.exchange(0, std::memory_order_relaxed),
            bytes_.exchange(0, std::memory_order_relaxed),
            ns_.exchange(0, std::memory_order_relaxed)};
  }

 private:
  const RandomAccessFile* const file_;
  mutable std::atomic<int64_t> num_reads_ = 0;
  mutable std::atomic<int64_t> bytes_ = 0;
  mutable std::atomic<int64_t> ns_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_TIMED_FILE_H_
