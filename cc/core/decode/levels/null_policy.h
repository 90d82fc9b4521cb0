// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_NULL_POLICY_H_
#define ROWFEED_CORE_DECODE_LEVELS_NULL_POLICY_H_

#include <cstdint>

#include "core/decode/chunk/chunk_request.h"
#include "core/status.h"

namespace rowfeed {

// Makes the error for a null in a wanted row, if the request has no fill value.
Status NullError(int64_t row);

// Returns the largest number of null slots that a list column may have, those of null
// lists of a fixed size included. The limit is needed because one level in the file can
// stand for 2^31 of them, and because pages may have more rows than the footer says.
int64_t MaxNullSlots(const ChunkRequest& request);
Status NullSlotsError();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_NULL_POLICY_H_
