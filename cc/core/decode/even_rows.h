// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_EVEN_ROWS_H_
#define ROWFEED_CORE_DECODE_EVEN_ROWS_H_

#include <memory>

#include "core/decode/row_finder.h"
#include "core/decode/slots.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Gives all of `rows` the size that rows are to have, if there is one: those that have
// another, which nobody wants, become zeros. `has_slot_mask`: not one of rows, or none.
Status EvenOut(const RowRange& rows, bool has_slot_mask, Slots* slots,
               const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_EVEN_ROWS_H_
