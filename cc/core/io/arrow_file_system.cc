// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/arrow_file_system.h"

#include <set>
#include <utility>

#include "core/io/arrow_client.h"
#include "core/io/remote_file.h"

namespace rowfeed {
namespace {

struct stat ToStat(bool is_directory, int64_t size) {
  struct stat info = {};
  info.st_mode = is_directory ? S_IFDIR : S_IFREG;
  info.st_size = size;
  return info;
}

using Tree = std::map<std::string, DirectoryEntries>;

// Sorts the paths of files by directory. Stores have no real directories: these follow
// from the paths, whether or not the store lists entries for them.
class TreeBuilder {
 public:
  explicit TreeBuilder(std::string root) : root_(std::move(root)) { tree_[root_]; }

  void Add(const std::string& path, const struct stat& info) {
    if (path.size() <= root_.size() || !known_.insert(path).second) return;
    const size_t slash = path.rfind('/');
    const std::string parent = slash == std::string::npos ? "" : path.substr(0, slash);
    if (parent != root_) Add(parent, ToStat(true, 0));
    if (S_ISDIR(info.st_mode)) tree_[path];
    tree_[parent].push_back({path.substr(slash + 1), info, 0});
  }

  Tree Finish() && { return std::move(tree_); }

 private:
  const std::string root_;
  Tree tree_;
  std::set<std::string> known_;
};

class ArrowFileSystem final : public FileSystem {
 public:
  ArrowFileSystem(Uri uri, const std::shared_ptr<BlockingCalls>& calls)
      : client_(std::make_shared<ArrowClient>(std::move(uri),
                                              [calls] { calls->GuardExit(); })),
        access_{calls} {}

  Result<struct stat> Stat(const std::string& path,
                           const Cancelled& cancelled) const override {
    return AskClient<struct stat>(path, cancelled, [path](ArrowClient* client) {
      return StatOf(client->Stat(path));
    });
  }

  Result<DirectoryEntries> List(const std::string& path,
                                const Cancelled& cancelled) const override {
    // Arrow's client for Google lists all that is below a directory in any case, and
    // then leaves out directories that exist only in paths. So list all, and find
    // directories here.
    const bool is_recursive = client_->uri().scheme[0] == 'g';
    ROWFEED_ASSIGN_OR_RETURN(Tree tree, ListAll(path, is_recursive, cancelled));
    return std::move(tree[path]);
  }

  Result<Tree> ListTree(const std::string& path,
                        const Cancelled& cancelled) const override {
    return ListAll(path, true, cancelled);
  }

  Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled& cancelled) const override {
    return OpenRemoteFile(Shown(path), MakeArrowObject(client_, path), access_,
                          cancelled);
  }

  Result<std::shared_ptr<const RandomAccessFile>> OpenKnown(
      const std::string& path, const FileVersion& version,
      const Cancelled& cancelled) const override {
    // Only these stores open a file by name alone. In others, opening is a request, or
    // gives a handle to the version that is there now.
    const std::string& scheme = client_->uri().scheme;
    const bool is_by_name = scheme == "s3" || scheme == "abfs" || scheme == "abfss";
    if (!is_by_name) return Open(path, cancelled);
    return MakeRemoteFile(Shown(path), version,
                          MakeArrowObject(client_, path, version.size), access_);
  }

  std::string Shown(const std::string& path) const override {
    return client_->uri().Shown(path);
  }

 private:
  static Result<struct stat> StatOf(const Result<arrow::fs::FileInfo>& info) {
    if (!info.ok()) return info.status();
    return ToStat(info->IsDirectory(), info->size());
  }

  Result<Tree> ListAll(const std::string& path, bool is_recursive,
                       const Cancelled& cancelled) const {
    return AskClient<Tree>(
        path, cancelled, [path, is_recursive](ArrowClient* client) -> Result<Tree> {
          ROWFEED_ASSIGN_OR_RETURN(const auto infos, client->List(path, is_recursive));
          TreeBuilder tree(path);
          for (const arrow::fs::FileInfo& info : infos) {
            tree.Add(info.path(), ToStat(info.IsDirectory(), info.size()));
          }
          return std::move(tree).Finish();
        });
  }

  // Calls `function` with the client in a thread of `calls`. Listing may need many
  // requests, so one call may take the whole total time.
  template <typename T, typename Function>
  Result<T> AskClient(const std::string& path, const Cancelled& cancelled,
                      const Function& function) const {
    Result<T> answer =
        Ask(access_, access_.retry.total_timeout, cancelled,
            [client = client_, function] { return function(client.get()); });
    if (answer.ok()) return answer;
    return answer.status().WithContext(Shown(path));
  }

  const std::shared_ptr<ArrowClient> client_;
  const RemoteAccess access_;
};

}  // namespace

std::shared_ptr<const FileSystem> MakeArrowFileSystem(
    Uri uri, const std::shared_ptr<BlockingCalls>& calls) {
  return std::make_shared<ArrowFileSystem>(std::move(uri), calls);
}

}  // namespace rowfeed
