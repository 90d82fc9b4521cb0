// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_FOOTER_H_
#define ROWFEED_CORE_CATALOG_FOOTER_H_

#include <cstdint>
#include <memory>

#include "core/catalog/schema/refused_leaves.h"
#include "core/io/random_access_file.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

struct Footer {
  std::shared_ptr<parquet::FileMetaData> metadata;
  // The columns whose type `metadata` does not have, because Arrow refuses it.
  RefusedTypes refused;
  uint64_t digest = 0;  // XXH3 of the footer's bytes in the file
  // The end of the file, as it was read: the footer, and mostly some of what precedes
  // it, such as page indexes.
  FetchedExtent tail;
};

// Reads and parses the footer at the end of `file`: with one read if it has less than
// 64 KiB, else with two. A file that is not Parquet at all is kInvalid; a Parquet file
// that was cut off or damaged is kCorrupt; an encrypted one is kUnsupported. Errors
// name the path. If `cancelled` returns true, the wait for a remote file ends.
Result<Footer> ReadFooter(const RandomAccessFile& file,
                          const Cancelled& cancelled = {});

// Whether the file ends as a Parquet file does. If not, it is no Parquet file, or is
// not complete yet.
Result<bool> EndsAsParquet(const RandomAccessFile& file, const Cancelled& cancelled);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_FOOTER_H_
