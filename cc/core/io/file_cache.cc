// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_cache.h"

#include <sys/resource.h>

#include <algorithm>

#include "core/io/fetched_file.h"
#include "core/io/file_system.h"

namespace rowfeed {

std::shared_ptr<const RandomAccessFile> FileCache::Find(const std::string& path) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().file;
}

Result<std::shared_ptr<const RandomAccessFile>> FileCache::Get(
    const std::string& path, const FileVersion& expected, const Cancelled& cancelled) {
  const auto check = [&](const RandomAccessFile& file) {
    return CheckVersion(file.path(), expected, file.version());
  };
  std::shared_ptr<const RandomAccessFile> file = Find(path);
  // A newer catalog may ask for another version than the one that is open.
  if (file != nullptr && check(*file).ok()) return file;
  // The mutex is not held here, as opening may wait for a disk. Two threads may both
  // open the file; the later one replaces the earlier one in the cache.
  ROWFEED_ASSIGN_OR_RETURN(file, OpenFile(path, cancelled, &expected));
  ROWFEED_RETURN_NOT_OK(check(*file));
  Insert(path, file);
  return file;
}

void FileCache::Insert(const std::string& path,
                       std::shared_ptr<const RandomAccessFile> file) {
  Entries closed;  // files to close after the mutex is released, as close may wait
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = by_path_.find(path); found != by_path_.end()) {
    closed.splice(closed.begin(), entries_, found->second);
    by_path_.erase(found);
  }
  entries_.push_front({path, std::move(file)});
  by_path_[path] = entries_.begin();
  while (entries_.size() > max_open_) {
    by_path_.erase(entries_.back().path);
    closed.splice(closed.begin(), entries_, std::prev(entries_.end()));
  }
}

void FileCache::Forget(const std::shared_ptr<const RandomAccessFile>& file) {
  Entries closed;
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const Entry& entry) { return entry.file == file; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), is_it);
  if (found == entries_.end()) return;
  by_path_.erase(found->path);
  closed.splice(closed.begin(), entries_, found);
}

bool FileCache::MayHold(const std::shared_ptr<const RandomAccessFile>& file) {
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  const std::lock_guard lock(mutex_);
  std::erase_if(held_, [](const auto& held) { return held.expired(); });
  for (const auto& held : held_) {
    if (held.lock() == file) return true;
  }
  if (held_.size() >= descriptors.rlim_cur / 4) return false;
  held_.push_back(file);
  return true;
}

Status CachedFile::Hold() {
  ROWFEED_ASSIGN_OR_RETURN(auto file, cache_->Get(path_, version_, cancelled_));
  ROWFEED_RETURN_NOT_OK(CheckUnchanged(cancelled_));
  if (cache_->MayHold(file)) held_ = std::move(file);
  return {};
}

Status CachedFile::Read(const std::vector<ReadRequest>& requests) const {
  if (is_remote() && !held_) return FetchInto(*this, requests, cancelled_);
  std::shared_ptr<const RandomAccessFile> file = held_;
  if (!file) {
    ROWFEED_ASSIGN_OR_RETURN(file, cache_->Get(path_, version_, cancelled_));
  }
  const Status status = file->Read(requests);
  if (!status.ok()) cache_->Forget(file);
  return status;
}

bool CachedFile::IsInPageCache(int64_t offset) const {
  const auto file = cache_->Get(path_, version_, cancelled_);
  return file.ok() && (*file)->IsInPageCache(offset);
}

Result<std::vector<FetchedExtent>> CachedFile::Fetch(
    const std::vector<Extent>& extents, const std::shared_ptr<BufferPool>& buffers,
    const Cancelled& cancelled) const {
  const Cancelled& ended = cancelled ? cancelled : cancelled_;
  ROWFEED_ASSIGN_OR_RETURN(const auto file, cache_->Get(path_, version_, ended));
  auto fetched = file->Fetch(extents, buffers, ended);
  ForgetIfFailed(file, fetched.status());
  return fetched;
}

Status CachedFile::CheckUnchanged(const Cancelled& cancelled) const {
  if (!is_remote()) return {};
  const Cancelled& ended = cancelled ? cancelled : cancelled_;
  ROWFEED_ASSIGN_OR_RETURN(const auto file, cache_->Get(path_, version_, ended));
  Status status = file->CheckUnchanged(ended);
  ForgetIfFailed(file, status);
  return status;
}

void CachedFile::ForgetIfFailed(const std::shared_ptr<const RandomAccessFile>& file,
                                const Status& status) const {
  // The next read opens the file again, with the newest credentials.
  if (!status.ok() && status.code() != StatusCode::kCancelled) cache_->Forget(file);
}

}  // namespace rowfeed
