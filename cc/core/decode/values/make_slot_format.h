// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_MAKE_SLOT_FORMAT_H_
#define ROWFEED_CORE_DECODE_VALUES_MAKE_SLOT_FORMAT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace parquet {
class ColumnDescriptor;
}

namespace rowfeed {

// Finds out how the values of a chunk are stored and which slots are made of them.
// Returns kUnsupported if `storage` does not fit `source`, and kInvalid if `source`
// cannot be converted to `column`.
Result<SlotFormat> MakeSlotFormat(const Column& source, const ColumnStorage& storage,
                                  const Column& column, const StringEncoding& encoding);

// Returns the bytes of the slot that stands for a null: `fill` (see
// ChunkRequest::fill), or all zeros without fill. The slot of a string points to a copy
// of fill, which is added to `buffers`.
Result<std::string> MakeNullSlot(const SlotFormat& format,
                                 const std::optional<std::string>& fill,
                                 BufferPool* pool, std::vector<Buffer>* buffers);

// Makes the description of a column that Arrow's decoders and readers need.
std::unique_ptr<parquet::ColumnDescriptor> MakeDescriptor(const ColumnStorage& storage);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_MAKE_SLOT_FORMAT_H_
