// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/arrow_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "arrow/io/interfaces.h"
#include "arrow/util/io_util.h"
#include "arrow/util/key_value_metadata.h"
#include "arrow/util/thread_pool.h"
#include "core/io/s3_library.h"

namespace rowfeed {
namespace {

// Texts in the errors of stores that mean: access denied.
constexpr std::array<std::string_view, 9> kDenials = {
    "ACCESS_DENIED",     "INVALID_ACCESS_KEY_ID", "SIGNATURE_DOES_NOT_MATCH",
    "INVALID_SIGNATURE", "UNRECOGNIZED_CLIENT",   "HTTP status 403",
    "PERMISSION_DENIED", "UNAUTHENTICATED",       "403 Forbidden"};

void Replace(const std::string& secret, std::string_view with, std::string* text) {
  if (secret.empty()) return;
  for (size_t at = text->find(secret); at != std::string::npos;
       at = text->find(secret, at + with.size())) {
    text->replace(at, secret.size(), with);
  }
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

StatusCode CodeOf(const arrow::Status& status) {
  if (status.IsNotImplemented()) return StatusCode::kUnsupported;
  if (status.IsOutOfMemory()) return StatusCode::kOutOfMemory;
  if (status.IsInvalid() || status.IsKeyError()) return StatusCode::kInvalid;
  if (arrow::internal::ErrnoFromStatus(status) == ENOENT) return StatusCode::kNotFound;
  for (const std::string_view denial : kDenials) {
    if (Contains(status.message(), denial)) return StatusCode::kPermission;
  }
  return StatusCode::kIo;
}

std::string ForClient(const Uri& uri) {
  std::string text = uri.ForClient();
  // The client itself tries failed requests again, for up to 15 minutes unless told
  // otherwise.
  const bool is_google = uri.scheme == "gs" || uri.scheme == "gcs";
  if (is_google && !Contains(text, "retry_limit_seconds=")) {
    text += text.find('?') == std::string::npos ? '?' : '&';
    text += "retry_limit_seconds=60";
  }
  return text;
}

// Returns a context with threads of our own, in which clients list. Requests of other
// libraries cannot occupy them, and there are enough that a few stores that do not
// answer cannot either. The pool is never destroyed, as its threads may be at work when
// the process ends.
arrow::Result<arrow::io::IOContext> OwnThreads() {
  constexpr int kNumThreads = 64;
  static const auto* const threads =
      new auto(arrow::internal::ThreadPool::MakeEternal(kNumThreads));
  ARROW_RETURN_NOT_OK(threads->status());
  return arrow::io::IOContext((*threads)->get());
}

}  // namespace

Status ArrowClient::Translate(const arrow::Status& status, bool is_transient) const {
  if (status.ok()) return {};
  const StatusCode code = is_transient ? StatusCode::kUnavailable : CodeOf(status);
  if (code == StatusCode::kNotFound) return {code, "No such file or directory"};
  std::string message = status.message();
  Replace(ForClient(uri_), uri_.Shown(""), &message);
  Replace(uri_.secret_user, "", &message);
  // Clients may show their request, with the secrets spelled in another way: all from
  // the `?` on is removed.
  if (!uri_.secret_query.empty())
    message.erase(std::min(message.find('?'), message.size()));
  if (code == StatusCode::kPermission) {
    message +=
        "; credentials are taken from the URI, the environment, the files of the "
        "store's own tools or the machine's role";
  }
  return {code, std::move(message)};
}

Result<std::shared_ptr<arrow::fs::FileSystem>> ArrowClient::Connect() {
  const std::lock_guard lock(mutex_);
  if (client_) return client_;
  const bool is_s3 = uri_.scheme == "s3";
  if (is_s3) ROWFEED_RETURN_NOT_OK(Translate(LoadS3()));
  const auto threads = OwnThreads();
  if (!threads.ok()) return Translate(threads.status());
  std::string base;
  auto client = arrow::fs::FileSystemFromUriAndOptions(
      ForClient(uri_), is_s3 ? S3Options() : arrow::fs::FileSystemFactoryOptions(),
      *threads, &base);
  if (!client.ok()) return Translate(client.status());
  prefix_ = std::move(base);
  if (!prefix_.empty() && prefix_.back() != '/') prefix_ += '/';
  if (prefix_.empty() && Contains(uri_.scheme, "fs") && uri_.scheme[0] != 'a') {
    prefix_.assign(1, '/');  // inner paths of hdfs and viewfs begin with a slash
  }
  client_ = *std::move(client);
  connected_();
  return client_;
}

std::string ArrowClient::Inner(const std::string& path) const {
  std::string inner = prefix_ + path;
  if (path.empty() && inner.size() > 1) inner.pop_back();
  return inner;
}

Result<arrow::fs::FileInfo> ArrowClient::Stat(const std::string& path) {
  ROWFEED_ASSIGN_OR_RETURN(const auto client, Connect());
  const TransientErrors errors;
  auto info = client->GetFileInfo(Inner(path));
  if (!info.ok()) return Translate(info.status(), errors.seen());
  if (info->type() == arrow::fs::FileType::NotFound) {
    return Status(StatusCode::kNotFound, "No such file or directory");
  }
  return *std::move(info);
}

Result<ArrowClient::FileInfos> ArrowClient::List(const std::string& path,
                                                 bool is_recursive) {
  ROWFEED_ASSIGN_OR_RETURN(const auto client, Connect());
  arrow::fs::FileSelector selector;
  selector.base_dir = Inner(path);
  selector.recursive = is_recursive;
  auto infos = client->GetFileInfo(selector);
  if (!infos.ok()) return Translate(infos.status());
  for (arrow::fs::FileInfo& info : *infos) {
    if (info.path().starts_with(prefix_)) {
      info.set_path(info.path().substr(prefix_.size()));
    }
  }
  return *std::move(infos);
}

Result<std::shared_ptr<arrow::io::RandomAccessFile>> ArrowClient::Open(
    const std::string& path, std::optional<int64_t> size) {
  ROWFEED_ASSIGN_OR_RETURN(const auto client, Connect());
  const TransientErrors errors;
  arrow::fs::FileInfo info(Inner(path), arrow::fs::FileType::File);
  if (size) info.set_size(*size);
  auto file = client->OpenInputFile(info);
  if (!file.ok()) return Translate(file.status(), errors.seen());
  // Google's client opens its stream at the first call, which must not come from
  // several threads at once: make that call here.
  (void)(*file)->closed();
  return *std::move(file);
}

Result<FileVersion> ArrowClient::Version(const std::string& path,
                                         arrow::io::RandomAccessFile* file) {
  const auto size = file->GetSize();
  if (!size.ok()) return Translate(size.status());
  FileVersion version{*size, 0, {}};
  const auto metadata = file->ReadMetadata();
  if (!metadata.ok()) return Translate(metadata.status());
  for (const char* key : {"generation", "ETag"}) {
    if (*metadata == nullptr) break;
    const auto value = (*metadata)->Get(key);
    if (value.ok()) version.etag = *value;
    if (value.ok()) return version;
  }
  ROWFEED_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info, Stat(path));
  version.mtime_ns = info.mtime().time_since_epoch().count();
  return version;
}

Result<int64_t> ArrowClient::Read(arrow::io::RandomAccessFile* file,
                                  const Extent& extent, uint8_t* out) {
  const TransientErrors errors;
  const auto size = file->ReadAt(extent.offset, extent.size, out);
  if (!size.ok()) return Translate(size.status(), errors.seen());
  return *size;
}

namespace {

class ArrowObject final : public RemoteObject {
 public:
  ArrowObject(std::shared_ptr<ArrowClient> client, std::string path,
              std::optional<int64_t> size)
      : client_(std::move(client)), path_(std::move(path)), size_(size) {}

  Result<int64_t> Read(const Extent& extent, uint8_t* out) const override {
    ROWFEED_ASSIGN_OR_RETURN(const auto file, First());
    return client_->Read(file.get(), extent, out);
  }

  Result<FileVersion> Version() const override {
    ROWFEED_ASSIGN_OR_RETURN(const auto file, client_->Open(path_));
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = file;
    return client_->Version(path_, file.get());
  }

 private:
  // Returns the file that was opened when the version was first asked for, as some
  // stores then read exactly this version or nothing.
  Result<std::shared_ptr<arrow::io::RandomAccessFile>> First() const {
    {
      const std::lock_guard lock(mutex_);
      if (first_) return first_;
    }
    ROWFEED_ASSIGN_OR_RETURN(const auto file, client_->Open(path_, size_));
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = file;
    return first_;
  }

  const std::shared_ptr<ArrowClient> client_;
  const std::string path_;
  const std::optional<int64_t> size_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<arrow::io::RandomAccessFile> first_;
};

}  // namespace

std::shared_ptr<const RemoteObject> MakeArrowObject(std::shared_ptr<ArrowClient> client,
                                                    std::string path,
                                                    std::optional<int64_t> size) {
  return std::make_shared<ArrowObject>(std::move(client), std::move(path), size);
}

}  // namespace rowfeed
