// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_NULL_POLICY_H_
#define ROWFEED_CORE_DECODE_LEVELS_NULL_POLICY_H_

#include <cstdint>

#include "core/decode/chunk/chunk_request.h"
#include "core/status.h"

namespace rowfeed {

// The error for a null that the request does not fill.
Status NullError(int64_t row);

// How many nulls, those of null lists of a fixed size among them, the slots of a list
// column may have: one level in the file can stand for 2^31 of them, and pages may
// have more rows than the footer says.
int64_t MaxNullSlots(const ChunkRequest& request);
Status NullSlotsError();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_NULL_POLICY_H_
