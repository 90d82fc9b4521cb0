// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_FAULTY_WRITERS_H_
#define ROWFEED_CORE_FILTER_FAULTY_WRITERS_H_

#include "parquet/metadata.h"

namespace rowfeed {

// What the writer of a file is known to state wrongly of a column.
struct WriterFaults {
  bool bounds = false;         // least and greatest values, of chunks and pages
  bool null_counts = false;    // of chunks and pages
  bool bloom_filters = false;  // that do not hold every value
};

// Looks up who wrote the file (`created_by`) in the table of writers with known faults.
// `leaf` is the number of the column in the file's schema.
WriterFaults FaultsOf(const parquet::FileMetaData& metadata, int leaf);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_FAULTY_WRITERS_H_
