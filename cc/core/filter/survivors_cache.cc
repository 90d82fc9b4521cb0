// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/survivors_cache.h"

#include <filesystem>

#include "core/filter/expression/hex_digest.h"
#include "core/io/replace_file.h"
#include "core/wire.h"

namespace rowfeed {
namespace {

// Returns the versions of all files as bytes. The catalog's fingerprint is not enough:
// it depends on footers, which may stay the same when values change.
std::string VersionsOf(const Catalog& catalog) {
  WireWriter versions;
  for (const CatalogFile& file : catalog.files()) {
    versions.Int(file.size);
    versions.Int(file.mtime_ns);
    versions.String(file.etag);
  }
  return std::move(versions).Finish();
}

}  // namespace

SurvivorsCache::SurvivorsCache(const std::string& directory, const Catalog& catalog)
    : directory_(directory),
      versions_(directory.empty() ? "" : HexDigest(VersionsOf(catalog))) {}

std::string SurvivorsCache::PathOf(const std::string& key) const {
  const std::string name = "rowfeed-" + HexDigest(key + versions_) + ".survivors";
  return (std::filesystem::path(directory_) / name).string();
}

std::string SurvivorsCache::Read(const std::string& key, int64_t most_bytes) const {
  if (directory_.empty()) return {};
  Result<std::string> bytes = ReadWholeFile(PathOf(key), most_bytes);
  return bytes.ok() ? *std::move(bytes) : std::string();
}

Status SurvivorsCache::Write(const std::string& key, const std::string& bytes) const {
  if (directory_.empty()) return {};
  return ReplaceFile(PathOf(key), bytes);
}

}  // namespace rowfeed
