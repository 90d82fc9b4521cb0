// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_LISTED_FILE_H_
#define ROWFEED_CORE_CATALOG_LISTING_LISTED_FILE_H_

#include <string>

namespace rowfeed {

// A file that a listing found.
struct ListedFile {
  std::string path;  // path or URI that opens it
  std::string name;  // path below its root
  // Its directories that are columns: see PartitionsIn.
  std::string partitions = {};
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_LISTED_FILE_H_
