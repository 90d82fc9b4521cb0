// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_ARROW_CLIENT_H_
#define ROWFEED_CORE_IO_ARROW_CLIENT_H_

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arrow/filesystem/filesystem.h"
#include "core/io/random_access_file.h"
#include "core/io/remote_file.h"
#include "core/io/uri.h"
#include "core/status.h"

namespace rowfeed {

// Arrow's client of a file system, made by the first call. Calls block; their errors
// name no path, and are kUnavailable where another try may help. Thread-safe.
class ArrowClient {
 public:
  // `connected` is called when the libraries of the store are in use.
  ArrowClient(Uri uri, std::function<void()> connected)
      : uri_(std::move(uri)), connected_(std::move(connected)) {}

  using FileInfos = std::vector<arrow::fs::FileInfo>;
  // Paths are those of the URI, in what is given and returned.
  Result<arrow::fs::FileInfo> Stat(const std::string& path);
  Result<FileInfos> List(const std::string& path, bool is_recursive);
  // `size`: if it is known, so that some stores need not be asked.
  Result<std::shared_ptr<arrow::io::RandomAccessFile>> Open(
      const std::string& path, std::optional<int64_t> size = {});
  Result<FileVersion> Version(const std::string& path,
                              arrow::io::RandomAccessFile* file);
  Result<int64_t> Read(arrow::io::RandomAccessFile* file, const Extent& extent,
                       uint8_t* out);

  const Uri& uri() const { return uri_; }

 private:
  Result<std::shared_ptr<arrow::fs::FileSystem>> Connect();
  // What Arrow calls a path of the URI: "bucket/key"; after Connect.
  std::string Inner(const std::string& path) const;
  // As our errors are; without what is secret.
  Status Translate(const arrow::Status& status, bool is_transient = false) const;

  const Uri uri_;
  const std::function<void()> connected_;
  std::mutex mutex_;
  std::shared_ptr<arrow::fs::FileSystem> client_;
  std::string prefix_;  // of inner paths, with its slash
};

// An object of a client, and its size if that is known.
std::shared_ptr<const RemoteObject> MakeArrowObject(std::shared_ptr<ArrowClient> client,
                                                    std::string path,
                                                    std::optional<int64_t> size = {});

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_ARROW_CLIENT_H_
