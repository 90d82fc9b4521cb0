// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/data_paths.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/glob.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

// Returns the directory before the first name with a special character; the path itself
// if it has none.
std::string BeforeGlob(const std::string& path) {
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (HasGlob(std::string_view(path).substr(begin, end - begin))) {
      return path.substr(0, begin);
    }
    begin = end + 1;
  }
  return path;
}

// Cuts off the last name of a path, and the slash before it unless that is all. Returns
// false if nothing is left to cut, or if the name leaves its directory.
bool GoUp(std::string* path) {
  const size_t slash = path->rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  if (path->empty() || *path == "/" || path->substr(name) == "..") return false;
  path->resize(slash == 0 ? 1 : std::max<size_t>(name, 1) - 1);
  return true;
}

// Returns a local path with all symbolic links resolved. What does not exist stays as
// it is.
std::filesystem::path ResolvedDirectory(const std::filesystem::path& path) {
  std::error_code error;
  const auto full = std::filesystem::absolute(path.empty() ? "." : path, error);
  return std::filesystem::weakly_canonical(full, error);
}

// Returns a local path with the symbolic links of its directories resolved. The file
// itself may be a link: listings follow these.
std::string Resolved(const std::string& path) {
  const std::filesystem::path split = path;
  return (ResolvedDirectory(split.parent_path()) / split.filename()).string();
}

}  // namespace

DataPaths::DataPaths(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::vector<Place> places = PlacesOf(path);
    // A listing takes a URI literally if nothing is at its decoded path.
    if (IsUri(path)) {
      for (Place& literal : PlacesOf(WithLiteralPath(path))) {
        places.push_back(std::move(literal));
      }
    }
    for (Place& place : places) {
      std::string& root = place.second;
      root = BeforeGlob(root);
      while (root.size() > 1 && root.back() == '/') root.pop_back();
      roots_.insert(std::move(place));
    }
  }
}

std::vector<DataPaths::Place> DataPaths::PlacesOf(const std::string& path) {
  if (!IsUri(path)) return {{"", path}};
  const Result<Uri> uri = ParseUri(path);
  if (!uri.ok()) return {};
  if (uri->scheme == "file") return {{"", std::string("/").append(uri->path)}};
  return {{uri->Root(), uri->path}};
}

bool DataPaths::Have(const std::string& file) {
  if (file.empty() || file.find('\0') != std::string::npos) return false;
  const std::vector<Place> places = PlacesOf(file);
  if (places.empty()) return false;
  const auto& [store, path] = places.front();
  return IsWithin(places.front()) || (store.empty() && IsWithinLinks(path));
}

bool DataPaths::IsWithin(Place place) const {
  do {
    if (roots_.contains(place)) return true;
  } while (GoUp(&place.second));
  return false;
}

bool DataPaths::IsWithinLinks(const std::string& path) {
  if (!links_) {
    links_.emplace();
    for (const auto& [store, root] : roots_) {
      if (!store.empty()) continue;
      links_->files.insert(Resolved(root));
      links_->directories.insert(ResolvedDirectory(root).string());
    }
  }
  std::string above = Resolved(path);
  if (links_->files.contains(above)) return true;
  while (GoUp(&above)) {
    if (links_->directories.contains(above)) return true;
  }
  return false;
}

}  // namespace rowfeed
