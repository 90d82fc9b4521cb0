// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_FAULTY_WRITERS_H_
#define ROWFEED_CORE_FILTER_BOUNDS_FAULTY_WRITERS_H_

#include "parquet/metadata.h"

namespace rowfeed {

// Says which statements about a column the writer of a file is known to write wrongly.
struct WriterFaults {
  bool bounds = false;         // least and greatest values of chunks and pages
  bool null_counts = false;    // numbers of nulls in chunks and pages
  bool bloom_filters = false;  // bloom filters that lack values of the column
};

// Looks up the file's writer (`created_by` in the footer) in the table of writers with
// known faults. `leaf` is the number of the column in the file's schema.
WriterFaults FaultsOf(const parquet::FileMetaData& metadata, int leaf);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_FAULTY_WRITERS_H_
