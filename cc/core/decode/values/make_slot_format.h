// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_MAKE_SLOT_FORMAT_H_
#define ROWFEED_CORE_DECODE_VALUES_MAKE_SLOT_FORMAT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/column.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace parquet {
class ColumnDescriptor;
}

namespace rowfeed {

// kUnsupported where the storage cannot be that of `source`, kInvalid where `column`
// cannot be made of it.
Result<SlotFormat> MakeSlotFormat(const Column& source, const ColumnStorage& storage,
                                  const Column& column, const StringEncoding& encoding);

// The bytes of a null's slot, made of ChunkRequest::fill; all zero without fill. That
// of strings points to a copy of fill that is added to `buffers`.
Result<std::string> MakeNullSlot(const SlotFormat& format,
                                 const std::optional<std::string>& fill,
                                 BufferPool* pool, std::vector<Buffer>* buffers);

// What Arrow's decoders and readers ask of a column.
std::unique_ptr<parquet::ColumnDescriptor> MakeDescriptor(const ColumnStorage& storage);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_MAKE_SLOT_FORMAT_H_
