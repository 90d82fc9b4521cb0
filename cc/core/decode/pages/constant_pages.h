// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_CONSTANT_PAGES_H_
#define ROWFEED_CORE_DECODE_PAGES_CONSTANT_PAGES_H_

#include <vector>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/pages/page_list.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// The pages of a column that has the same value in all rows, as a file would have them:
// so whatever is done with columns can be done with those that no file has.
struct ConstantPages {
  PageList pages;
  std::vector<Buffer> buffers;  // that the pages lie in
};

// Those of request.constant.
Result<ConstantPages> MakeConstantPages(const ChunkRequest& request, BufferPool* pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_CONSTANT_PAGES_H_
