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

// The pages of a column that has the same value in all rows and is in no file, built in
// memory as a file would store them. So the same code decodes columns of files and
// columns that no file has.
struct ConstantPages {
  PageList pages;
  std::vector<Buffer> buffers;  // owners of the bytes of `pages`
};

// Makes the pages of a chunk whose rows all have the value request.constant.
Result<ConstantPages> MakeConstantPages(const ChunkRequest& request, BufferPool* pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_CONSTANT_PAGES_H_
