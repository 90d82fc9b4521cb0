// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/survivors_cache.h"

#include <filesystem>

#include "core/io/replace_file.h"

namespace rowfeed {

std::string SurvivorsCache::PathOf(const std::string& key) const {
  return (std::filesystem::path(directory_) / ("rowfeed-" + key + ".survivors"))
      .string();
}

std::string SurvivorsCache::Read(const std::string& key) const {
  if (directory_.empty()) return {};
  Result<std::string> bytes = ReadWholeFile(PathOf(key));
  return bytes.ok() ? *std::move(bytes) : std::string();
}

Status SurvivorsCache::Write(const std::string& key, const std::string& bytes) const {
  if (directory_.empty()) return {};
  return ReplaceFile(PathOf(key), bytes);
}

}  // namespace rowfeed
