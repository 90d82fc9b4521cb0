// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SURVIVORS_CACHE_H_
#define ROWFEED_CORE_FILTER_SURVIVORS_CACHE_H_

#include <string>

#include "core/catalog/catalog.h"
#include "core/status.h"

namespace rowfeed {

// A directory of small files that are found by a key and by the versions of a catalog's
// files: what was worked out once is there for the next process, until one of them is
// written again.
class SurvivorsCache {
 public:
  // An empty `directory`: nothing is kept.
  SurvivorsCache(const std::string& directory, const Catalog& catalog);

  // Empty: there is none, or it cannot be read.
  std::string Read(const std::string& key) const;
  // Makes the directory if it must. The old file or the whole new one is there.
  Status Write(const std::string& key, const std::string& bytes) const;

 private:
  std::string PathOf(const std::string& key) const;

  const std::string directory_;
  const std::string versions_;  // a digest
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SURVIVORS_CACHE_H_
