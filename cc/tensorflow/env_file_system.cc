// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes files of all file systems that TensorFlow knows (ram, gs, and more with
// plug-ins) files of the kernel.
#include <sys/stat.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/io/file_systems.h"
#include "core/io/remote_file.h"
#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/core/platform/file_statistics.h"
#include "tensorflow/tf_status.h"
#include "tensorflow/tf_version.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Env;

// The prefix that chooses TensorFlow's file system for a scheme that Arrow's clients
// have, too: "tf+gs://bucket/key".
constexpr absl::string_view kPrefix = "tf+";

// Returns what TensorFlow calls a file or directory. TensorFlow decodes no escapes in
// it.
std::string NameOf(const Uri& uri, const std::string& path) {
  const absl::string_view scheme = absl::StripPrefix(uri.scheme, kPrefix);
  std::string name = absl::StrCat(scheme, "://", uri.authority, "/", path);
  if (!uri.query.empty()) absl::StrAppend(&name, "?", uri.query);
  return name;
}

class EnvObject final : public RemoteObject {
 public:
  explicit EnvObject(std::string name) : name_(std::move(name)) {}

  Result<int64_t> Read(const Extent& extent, uint8_t* out) const override {
    ROWFEED_ASSIGN_OR_RETURN(const auto file, Open());
    absl::string_view bytes;
    auto* scratch = reinterpret_cast<char*>(out);
    const absl::Status status =
        ReadFile(*file, static_cast<uint64_t>(extent.offset),
                 absl::MakeSpan(scratch, static_cast<size_t>(extent.size)), &bytes);
    // OutOfRange: the file ended before the extent. What was read is there.
    if (!status.ok() && !absl::IsOutOfRange(status)) return FromTensorFlow(status);
    if (bytes.data() != scratch) std::memcpy(scratch, bytes.data(), bytes.size());
    return static_cast<int64_t>(bytes.size());
  }

  Result<FileVersion> Version() const override {
    tensorflow::FileStatistics found;
    const absl::Status status = Env::Default()->Stat(name_, &found);
    if (!status.ok()) return FromTensorFlow(status);
    return FileVersion{found.length, found.mtime_nsec, {}};
  }

 private:
  using File = tensorflow::RandomAccessFile;

  Result<std::shared_ptr<const File>> Open() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!file_) {
      std::unique_ptr<File> file;
      const absl::Status status = Env::Default()->NewRandomAccessFile(name_, &file);
      if (!status.ok()) return FromTensorFlow(status);
      file_ = std::move(file);
    }
    return file_;
  }

  const std::string name_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const File> file_;
};

Result<struct stat> StatOf(const std::string& name) {
  tensorflow::FileStatistics found;
  const absl::Status status = Env::Default()->Stat(name, &found);
  if (!status.ok()) return FromTensorFlow(status);
  struct stat info = {};
  info.st_mode = found.is_directory ? S_IFDIR : S_IFREG;
  info.st_size = found.length;
  return info;
}

Result<DirectoryEntries> ListOf(const std::string& name) {
  std::vector<std::string> children;
  const absl::Status status = Env::Default()->GetChildren(name, &children);
  if (!status.ok()) return FromTensorFlow(status);
  DirectoryEntries entries;
  for (const std::string& child : children) {
    const absl::string_view own = absl::StripSuffix(child, "/");
    if (own.empty()) continue;
    ROWFEED_ASSIGN_OR_RETURN(const struct stat info,
                             StatOf(absl::StrCat(name, "/", own)));
    entries.push_back({std::string(own), info, 0});
  }
  return entries;
}

class EnvFileSystem final : public FileSystem {
 public:
  EnvFileSystem(Uri uri, std::shared_ptr<BlockingCalls> calls)
      : uri_(std::move(uri)), access_{std::move(calls), {}, {}} {}

  Result<struct stat> Stat(const std::string& path,
                           const Cancelled& cancelled) const override {
    return AskFor(path, cancelled, &StatOf);
  }
  Result<DirectoryEntries> List(const std::string& path,
                                const Cancelled& cancelled) const override {
    return AskFor(path, cancelled, &ListOf);
  }
  Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled& cancelled) const override {
    return OpenRemoteFile(Shown(path),
                          std::make_shared<const EnvObject>(NameOf(uri_, path)),
                          access_, cancelled);
  }
  Result<std::shared_ptr<const RandomAccessFile>> OpenKnown(
      const std::string& path, const FileVersion& version,
      const Cancelled& /*cancelled*/) const override {
    return MakeRemoteFile(Shown(path), version,
                          std::make_shared<const EnvObject>(NameOf(uri_, path)),
                          access_);
  }
  std::string Shown(const std::string& path) const override { return uri_.Shown(path); }

 private:
  template <typename T>
  Result<T> AskFor(const std::string& path, const Cancelled& cancelled,
                   Result<T> (*function)(const std::string&)) const {
    Result<T> answer =
        Ask(access_, access_.retry.total_timeout, cancelled,
            [function, name = NameOf(uri_, path)] { return function(name); });
    if (answer.ok()) return answer;
    return answer.status().WithContext(Shown(path));
  }

  const Uri uri_;
  const RemoteAccess access_;
};

std::shared_ptr<const FileSystem> MakeEnvFileSystem(
    const Uri& uri, std::shared_ptr<BlockingCalls> calls) {
  tensorflow::FileSystem* known = nullptr;
  if (!Env::Default()->GetFileSystemForFile(NameOf(uri, ""), &known).ok())
    return nullptr;
  return std::make_shared<const EnvFileSystem>(uri, std::move(calls));
}

[[maybe_unused]] const bool is_set = SetOtherFileSystems(&MakeEnvFileSystem);

}  // namespace
}  // namespace rowfeed::tfdata
