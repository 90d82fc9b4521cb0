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

// Arrow's client for one remote file system, which the first call connects. Calls
// block. Errors do not name the path, and are kUnavailable if another try may succeed.
// Thread-safe.
class ArrowClient {
 public:
  // `connected` is called once, after the first connection has loaded the store's
  // libraries.
  ArrowClient(Uri uri, std::function<void()> connected)
      : uri_(std::move(uri)), connected_(std::move(connected)) {}

  using FileInfos = std::vector<arrow::fs::FileInfo>;
  // All paths, given and returned, are paths as in the URI.
  Result<arrow::fs::FileInfo> Stat(const std::string& path);
  Result<FileInfos> List(const std::string& path, bool is_recursive);
  // `size`: the file's size if it is known. Some stores then need no request to open
  // it.
  Result<std::shared_ptr<arrow::io::RandomAccessFile>> Open(
      const std::string& path, std::optional<int64_t> size = {});
  Result<FileVersion> Version(const std::string& path,
                              arrow::io::RandomAccessFile* file);
  Result<int64_t> Read(arrow::io::RandomAccessFile* file, const Extent& extent,
                       uint8_t* out);

  const Uri& uri() const { return uri_; }

 private:
  Result<std::shared_ptr<arrow::fs::FileSystem>> Connect();
  // Returns the path by which Arrow's client knows a path of the URI, such as
  // "bucket/key". Call it after Connect.
  std::string Inner(const std::string& path) const;
  // Converts an error of Arrow's client to one of ours, and removes secrets from its
  // text.
  Status Translate(const arrow::Status& status, bool is_transient = false) const;

  const Uri uri_;
  const std::function<void()> connected_;
  std::mutex mutex_;
  std::shared_ptr<arrow::fs::FileSystem> client_;
  std::string prefix_;  // beginning of all inner paths, with its slash
};

// Makes an object of a client's store. `size`: its size, if known.
std::shared_ptr<const RemoteObject> MakeArrowObject(std::shared_ptr<ArrowClient> client,
                                                    std::string path,
                                                    std::optional<int64_t> size = {});

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_ARROW_CLIENT_H_
