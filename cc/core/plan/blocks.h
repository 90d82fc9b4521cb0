// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_BLOCKS_H_
#define ROWFEED_CORE_PLAN_BLOCKS_H_

#include <cstdint>

namespace rowfeed {

// Rows [begin, end), numbered within something that the user of this type names.
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end - begin; }
};

// Returns the number of blocks that a row group of `group_rows` rows is cut into. If
// block_rows is 0, the whole row group is one block. The blocks of a row group differ
// in size by at most one row.
inline int64_t NumBlocks(int64_t group_rows, int64_t block_rows) {
  if (group_rows == 0) return 0;
  return block_rows == 0 ? 1 : (group_rows - 1) / block_rows + 1;
}

// Returns the rows of block number `part` of the row group.
inline Interval BlockRows(int64_t group_rows, int64_t block_rows, int64_t part) {
  const auto rows = static_cast<unsigned __int128>(group_rows);
  const int64_t parts = NumBlocks(group_rows, block_rows);
  return {static_cast<int64_t>(rows * part / parts),
          static_cast<int64_t>(rows * (part + 1) / parts)};
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_BLOCKS_H_
