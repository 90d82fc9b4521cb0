// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_FOOTER_TRUST_H_
#define ROWFEED_CORE_FILTER_BOUNDS_FOOTER_TRUST_H_

#include <string_view>
#include <vector>

#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

// Says which statistics of a column chunk are believed (trusted_bounds.h).
struct ChunkTrust {
  bool null_count = false;
  bool bounds = false;
};

// Returns, for each row group and within it for each of `leaves` (numbers of columns in
// the file's schema), what is believed. `footer` is a Parquet file that consists only
// of magic bytes and a footer; kCorrupt if it cannot be read.
ROWFEED_EXPORT Result<std::vector<std::vector<ChunkTrust>>> TrustOfFooter(
    std::string_view footer, const std::vector<int>& leaves);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_FOOTER_TRUST_H_
