// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_REPEATS_H_
#define ROWFEED_CORE_CATALOG_LISTING_REPEATS_H_

#include <vector>

#include "core/catalog/listing/listed_file.h"
#include "core/catalog/listing/notices.h"

namespace rowfeed {

// Adds a notice if files are in the list more than once: by the same path or, for local
// files, by symbolic links to the same file.
void NoticeRepeats(const std::vector<ListedFile>& files, Notices* notices);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_REPEATS_H_
