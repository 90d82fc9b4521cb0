// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/data_paths.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/catalog/listing/partition_rule.h"
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

bool LeavesByDots(std::string_view path) {
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (path.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
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
      place.path = BeforeGlob(place.path);
      while (place.path.size() > 1 && place.path.back() == '/') place.path.pop_back();
      roots_.push_back(std::move(place));
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

bool DataPaths::Have(const std::string& file) const {
  if (file.empty() || file.find('\0') != std::string::npos) return false;
  const std::vector<Place> places = PlacesOf(file);
  return !places.empty() && std::ranges::any_of(roots_, [&](const Place& root) {
    return IsBelow(places.front(), root);
  });
}

bool DataPaths::IsBelow(const Place& file, const Place& above) {
  if (file.store != above.store) return false;
  std::string_view rest = file.path;
  const bool is_relative = !rest.starts_with('/');
  if (above.path.empty() ? is_relative || !file.store.empty()
                         : rest.starts_with(above.path)) {
    rest.remove_prefix(above.path.size());
    const bool is_whole_name =
        rest.empty() || rest.front() == '/' || above.path.empty() || above.path == "/";
    if (is_whole_name && !LeavesByDots(rest)) return true;
  }
  if (!file.store.empty()) return false;
  const std::string resolved = Resolved(file.path);
  return resolved == Resolved(above.path) ||
         PathBelow(resolved, ResolvedDirectory(above.path).string(),
                   /*are_local=*/true);
}

}  // namespace rowfeed
