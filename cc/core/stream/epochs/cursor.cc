// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/cursor.h"

#include <mutex>
#include <utility>

#include "core/stream/stats/counters.h"

namespace rowfeed {
namespace {

// The number of files that are kept open: enough for those of a window, and far below
// the usual limit of descriptors.
constexpr size_t kMaxOpenFiles = 64;

// The number of row groups of remote files that are fetched at once. Each of them takes
// several requests.
constexpr int kFetchThreads = 8;

constexpr int64_t kMaxEpoch = (int64_t{1} << 62) + (int64_t{1} << 41);

}  // namespace

Status Progress::Validate(int64_t num_rows) const {
  for (const int64_t number : {epoch, next_epoch, epochs_done}) {
    if (number >= 0 && number <= kMaxEpoch && row >= 0 && row <= num_rows) continue;
    return Status::Invalid("no place in a data set of ", num_rows, " rows: epoch ",
                           epoch, ", row ", row, ", next epoch ", next_epoch, ", ",
                           epochs_done, " epochs done");
  }
  return {};
}

struct Cursor::Local {
  explicit Local(const Progress& start) : next(start) {}

  std::mutex mutex;
  Progress next;  // what Claim returns
  TaskSpans spans;
  Resources resources;
  std::shared_ptr<Counters> counters;  // set when an iteration was made
};

Cursor::Cursor(SourceRows sources, int64_t first_epoch, int num_threads,
               int64_t memory_budget_bytes, std::shared_ptr<Snapshots> snapshots)
    : sources_(std::move(sources)),
      num_threads_(num_threads),
      memory_budget_bytes_(memory_budget_bytes),
      snapshots_(std::move(snapshots)),
      local_(std::make_unique<Local>(Progress{first_epoch, 0, first_epoch + 1, 0})) {}

Cursor::~Cursor() = default;

Cursor::Local& Cursor::local() {
  return local_.Get([](const Local& parents) {
    // A child begins at the parent's next epoch.
    auto child = std::make_unique<Local>(parents.next);
    child->spans = parents.spans;
    return child;
  });
}

Result<SourceRows> Cursor::Begin(int64_t epoch,
                                 const DatasetRows::Cancelled& cancelled) {
  if (!snapshots_) return sources_;
  ROWFEED_ASSIGN_OR_RETURN(auto rows, snapshots_->BeginIteration(epoch, cancelled));
  return SourceRows{std::move(rows)};
}

Result<SourceRows> Cursor::BeginAhead(int64_t epoch) {
  if (!snapshots_ || snapshots_->shared()) return sources_;
  ROWFEED_ASSIGN_OR_RETURN(auto rows, snapshots_->Begin(epoch, nullptr));
  return SourceRows{std::move(rows)};
}

std::string Cursor::FingerprintOf(int64_t epoch) const {
  return snapshots_ ? snapshots_->FingerprintOf(epoch) : "";
}

Status Cursor::Resume(int64_t epoch, const std::string& fingerprint, bool may_be_gone) {
  if (!snapshots_) return Status::Invalid("the data set does not grow");
  return snapshots_->Resume(epoch, fingerprint, may_be_gone);
}

Progress Cursor::Claim() {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  const Progress claimed = local.next;
  local.next = {claimed.next_epoch, 0, claimed.next_epoch + 1, 0};
  return claimed;
}

Progress Cursor::Peek() {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  return local.next;
}

void Cursor::Move(const Progress& progress) {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  local.next = progress;
}

void Cursor::SetNextEpoch(int64_t epoch) {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  local.next = {epoch, 0, epoch + 1, 0};
}

Cursor::Resources Cursor::resources() {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  if (!local.resources.tasks) {
    local.resources = {std::make_shared<TaskPool>(num_threads_),
                       BufferPool::Make(memory_budget_bytes_),
                       std::make_shared<FileCache>(kMaxOpenFiles),
                       std::make_shared<TaskPool>(kFetchThreads)};
  }
  return local.resources;
}

std::shared_ptr<Counters> Cursor::counters(const std::vector<CountedColumn>& columns) {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  if (!local.counters || local.counters->columns().size() != columns.size()) {
    local.counters = std::make_shared<Counters>(columns, local.spans);
  }
  return local.counters;
}

void Cursor::SetTaskSpans(const TaskSpans& spans) {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  local.spans = spans;
}

void Cursor::Add(Count count, int64_t n) {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  if (local.counters) local.counters->Add(count, n);
}

Stats Cursor::stats() {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  Stats stats = local.counters ? local.counters->Report() : Counters({}).Report();
  stats.num_threads = num_threads_;
  stats.memory_budget_bytes = memory_budget_bytes_;
  return stats;
}

}  // namespace rowfeed
