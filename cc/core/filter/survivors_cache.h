// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SURVIVORS_CACHE_H_
#define ROWFEED_CORE_FILTER_SURVIVORS_CACHE_H_

#include <cstdint>
#include <string>

#include "core/catalog/catalog.h"
#include "core/status.h"

namespace rowfeed {

// A cache on disk: a directory of small files, each found by a key and by the versions
// of the catalog's files. A result that one process computed is there for the next one,
// until one of the catalog's files is rewritten.
class SurvivorsCache {
 public:
  // If `directory` is empty, nothing is kept.
  SurvivorsCache(const std::string& directory, const Catalog& catalog);

  // Returns the bytes kept under `key`; empty if there are none, if they cannot be
  // read, or if they are more than `most_bytes`.
  std::string Read(const std::string& key, int64_t most_bytes) const;
  // Keeps `bytes` under `key`, and creates the directory if needed. Readers find either
  // the old bytes or all of the new ones.
  Status Write(const std::string& key, const std::string& bytes) const;

 private:
  std::string PathOf(const std::string& key) const;

  const std::string directory_;
  const std::string versions_;  // digest of the versions of all files
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SURVIVORS_CACHE_H_
