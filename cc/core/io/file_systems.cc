// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_systems.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "arrow/filesystem/filesystem.h"
#include "core/io/arrow_file_system.h"
#include "core/io/blocking_calls.h"
#include "core/io/fork_count.h"

namespace rowfeed {
namespace {

constexpr std::array<std::string_view, 7> kSchemes = {"s3",    "gs",   "gcs",   "abfs",
                                                      "abfss", "hdfs", "viewfs"};

// Number of requests at once; each spends most of its time waiting. Arrow's client for
// s3 has 25 connections.
constexpr int kMaxCalls = 24;

constexpr std::chrono::seconds kLastMoment{1};
constexpr std::chrono::milliseconds kCopyTimeout{500};

struct Used {
  Uri uri;
  std::shared_ptr<BlockingCalls> calls;
  std::shared_ptr<const FileSystem> files;
};

struct Table {
  const int owner = ForkCount();
  std::timed_mutex mutex;
  std::map<std::string, Used> by_root;
  bool closed = false;
};

// Set while TensorFlow's adapter is loaded.
OtherFileSystems make_other = nullptr;

bool IsOfArrow(const Uri& uri) {
  return std::find(kSchemes.begin(), kSchemes.end(), uri.scheme) != kSchemes.end();
}

// Makes the file system for a URI; its `files` are nullptr if the scheme is unknown.
Used MakeUsed(const Uri& uri) {
  auto calls = std::make_shared<BlockingCalls>(kMaxCalls);
  std::shared_ptr<const FileSystem> files;
  if (IsOfArrow(uri)) {
    files = MakeArrowFileSystem(uri, calls);
  } else if (make_other != nullptr) {
    files = make_other(uri, calls);
  }
  return {uri, std::move(calls), std::move(files)};
}

// Never destroyed: threads may use it when the process ends.
std::atomic<Table*> table{nullptr};

// Makes a table with what is needed to connect again to the stores of the parent's
// table. The wait for the parent's mutex is limited: several threads of the child may
// copy at once, but if a thread of the parent was just writing at the fork, the mutex
// is locked for ever.
Table* MakeTable(Table* parent) {
  auto* made = new Table;
  if (parent == nullptr) return made;
  const std::unique_lock lock(parent->mutex, kCopyTimeout);
  if (!lock) return made;
  for (const auto& [root, used] : parent->by_root) {
    made->by_root.emplace(root, MakeUsed(used.uri));
  }
  return made;
}

Table& OwnTable() {
  Table* known = table.load();
  if (known != nullptr && known->owner == ForkCount()) return *known;
  Table* made = MakeTable(known);
  if (table.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

bool HasOtherSecrets(const Uri& uri, const Uri& known) {
  const bool has_secrets = !uri.secret_user.empty() || !uri.secret_query.empty();
  return has_secrets && (uri.secret_user != known.secret_user ||
                         uri.secret_query != known.secret_query);
}

}  // namespace

bool HasClient(const std::string& path) {
  if (!IsUri(path)) return true;
  const Result<Uri> uri = ParseUri(path);
  // For a URI that cannot be parsed, opening it will report the error.
  return !uri.ok() || uri->scheme == "file" || IsOfArrow(*uri);
}

bool SetOtherFileSystems(OtherFileSystems make) noexcept {
  make_other = make;
  return true;
}

Result<std::shared_ptr<const FileSystem>> FileSystemOf(const Uri& uri) {
  Table& own = OwnTable();
  const std::lock_guard lock(own.mutex);
  if (own.closed) return Status(StatusCode::kCancelled, "the process ends");
  const auto [entry, is_new] = own.by_root.try_emplace(uri.Root());
  if (is_new || HasOtherSecrets(uri, entry->second.uri)) entry->second = MakeUsed(uri);
  if (entry->second.files) return entry->second.files;
  own.by_root.erase(entry);
  return Status::Unsupported(uri.Shown(uri.path), ": scheme '", uri.scheme,
                             "' is not read; s3, gs, gcs, abfs, abfss, hdfs, viewfs "
                             "and file are, and once rowfeed.tensorflow is imported "
                             "those that TensorFlow knows");
}

void CloseFileSystems() {
  Table* own = table.load();
  if (own == nullptr || own->owner != ForkCount()) return;
  const std::lock_guard lock(own->mutex);
  if (std::exchange(own->closed, true)) return;
  bool idle = true;
  for (const auto& [root, used] : own->by_root) {
    idle = used.calls->WaitUntilIdle(kLastMoment) && idle;
  }
  // EnsureFinalized waits for running reads, however long they take, so it is called
  // only if there are none.
  if (idle && !own->by_root.empty()) arrow::fs::EnsureFinalized();
}

FileSystem::~FileSystem() = default;

Result<std::shared_ptr<const RandomAccessFile>> OpenFile(const std::string& path,
                                                         const Cancelled& cancelled,
                                                         const FileVersion* known) {
  if (!IsUri(path)) return OpenLocalFile(path);
  ROWFEED_ASSIGN_OR_RETURN(const Uri uri, ParseUri(path));
  ROWFEED_ASSIGN_OR_RETURN(const auto files, FileSystemOf(uri));
  return known == nullptr ? files->Open(uri.path, cancelled)
                          : files->OpenKnown(uri.path, *known, cancelled);
}

}  // namespace rowfeed
