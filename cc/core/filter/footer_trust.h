// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_FOOTER_TRUST_H_
#define ROWFEED_CORE_FILTER_FOOTER_TRUST_H_

#include <string_view>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// The statistics of a column chunk that are believed (trusted_bounds.h).
struct ChunkTrust {
  bool null_count = false;
  bool bounds = false;
};

// For each row group of a footer, for each of `leaves` (numbers of columns of the
// file's schema). `footer`: a Parquet file that is nothing but magic and footer.
// kCorrupt if it cannot be read.
Result<std::vector<std::vector<ChunkTrust>>> TrustOfFooter(
    std::string_view footer, const std::vector<int>& leaves);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_FOOTER_TRUST_H_
