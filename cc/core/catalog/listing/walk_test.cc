// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/walk.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using ::testing::ElementsAre;

DirectoryEntry Entry(const std::string& name, mode_t mode) {
  DirectoryEntry entry{name, {}, 0};
  entry.info.st_mode = mode;
  return entry;
}

// A store that has d/gone, d/stays/x.parquet and d/y.parquet. It refuses the requests
// that a test tells it to refuse.
class Store final : public FileSystem {
 public:
  Result<struct stat> Stat(const std::string& path,
                           const Cancelled& /*cancelled*/) const override {
    return Status(StatusCode::kNotFound, path);
  }
  Result<DirectoryEntries> List(const std::string& path,
                                const Cancelled& /*cancelled*/) const override {
    listed.push_back(path);
    if (const auto found = refused.find(path); found != refused.end()) {
      return Status(found->second, path);
    }
    if (path == "d/stays") return DirectoryEntries{Entry("x.parquet", S_IFREG)};
    return DirectoryEntries{Entry("gone", S_IFDIR), Entry("stays", S_IFDIR),
                            Entry("y.parquet", S_IFREG)};
  }
  Result<std::map<std::string, DirectoryEntries>> ListTree(
      const std::string& path, const Cancelled& /*cancelled*/) const override {
    return Status(of_trees, path);
  }
  Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled& /*cancelled*/) const override {
    return Status(StatusCode::kNotFound, path);
  }
  std::string Shown(const std::string& path) const override { return path; }

  std::map<std::string, StatusCode> refused = {{"d/gone", StatusCode::kNotFound}};
  StatusCode of_trees = StatusCode::kPermission;
  mutable std::vector<std::string> listed;
};

class WalkTest : public ::testing::Test {
 protected:
  std::vector<std::string> Names() {
    const Cancelled never;
    std::set<std::string> left_out;
    Walk walk(&store_, "d", never, &problems_, &left_out);
    walk.AddTree("", Entry("d", S_IFDIR).info);
    std::vector<std::string> names;
    for (const ListedFile& file : std::move(walk).Finish()) names.push_back(file.name);
    return names;
  }

  Store store_;
  Problems problems_;
};

TEST_F(WalkTest, ADirectoryThatGoesWhileItsParentIsReadLeaves) {
  EXPECT_THAT(Names(), ElementsAre("stays/x.parquet", "y.parquet"));
  ROWFEED_EXPECT_OK(problems_.ToStatus());
}

TEST_F(WalkTest, ARootThatGoesIsMissing) {
  store_.refused["d"] = StatusCode::kNotFound;
  EXPECT_THAT(Names(), ElementsAre());
  EXPECT_THAT(problems_.ToStatus(), StatusIs(StatusCode::kNotFound, "d"));
}

TEST_F(WalkTest, AStoreThatDoesNotAnswerIsNotAskedTwice) {
  store_.of_trees = StatusCode::kUnavailable;
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(Names(), ElementsAre());
    EXPECT_THAT(store_.listed, ElementsAre());
    EXPECT_THAT(problems_.ToStatus(), StatusIs(StatusCode::kUnavailable, "d"));
  }
}

TEST_F(WalkTest, AStoreThatStopsAnsweringIsNotAskedForTheRest) {
  store_.refused["d/gone"] = StatusCode::kUnavailable;
  EXPECT_THAT(Names(), ElementsAre("y.parquet"));
  EXPECT_THAT(store_.listed, ElementsAre("d", "d/gone"));
  EXPECT_THAT(problems_.ToStatus(), StatusIs(StatusCode::kUnavailable, "d/gone"));
}

}  // namespace
}  // namespace rowfeed
