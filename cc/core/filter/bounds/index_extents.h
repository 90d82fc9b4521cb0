// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_INDEX_EXTENTS_H_
#define ROWFEED_CORE_FILTER_BOUNDS_INDEX_EXTENTS_H_

#include <cstdint>
#include <vector>

#include "core/io/random_access_file.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Returns where the column indexes of some columns of a row group lie, and their offset
// indexes if `with_offsets`. There is one extent for each of the two kinds, as Arrow
// reads them: from the first of the columns to the last one. Places outside of a file
// of `file_size` bytes are left out. `leaves` are numbers of columns in the file, all
// of which have both indexes.
std::vector<Extent> IndexExtents(const parquet::RowGroupMetaData& group,
                                 const std::vector<int32_t>& leaves, bool with_offsets,
                                 int64_t file_size);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_INDEX_EXTENTS_H_
