// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_COUNTED_FILE_H_
#define ROWFEED_CORE_STREAM_STATS_COUNTED_FILE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/io/random_access_file.h"
#include "core/stopwatch.h"
#include "core/stream/stats/counters.h"

namespace rowfeed {

// A file whose reads count as reads of one column, whoever makes them and when.
// Thread-safe.
class CountedFile final : public RandomAccessFile {
 public:
  // `counters` must outlive this object. `column` is the number of the column in the
  // counters.
  CountedFile(std::unique_ptr<RandomAccessFile> file, Counters* counters, size_t column)
      : file_(std::move(file)), counters_(counters), column_(column) {}

  Status Read(const std::vector<ReadRequest>& requests) const override {
    const Stopwatch watch;
    Status status = file_->Read(requests);
    const int64_t ns = watch.ns();
    counters_->Add(column_, ColumnCount::kReadBytes, TotalBytes(requests));
    counters_->Add(column_, ColumnCount::kRequests, NumReads(requests));
    counters_->Add(column_, ColumnCount::kRead, ns);
    read_ns_.fetch_add(ns, std::memory_order_relaxed);
    return status;
  }
  bool is_remote() const override { return file_->is_remote(); }
  const FileVersion& version() const override { return file_->version(); }
  const std::string& path() const override { return file_->path(); }

  // Returns the time in nanoseconds that all reads of this file have taken so far.
  int64_t read_ns() const { return read_ns_.load(std::memory_order_relaxed); }

 private:
  const std::unique_ptr<RandomAccessFile> file_;
  Counters* const counters_;
  const size_t column_;
  mutable std::atomic<int64_t> read_ns_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_COUNTED_FILE_H_
