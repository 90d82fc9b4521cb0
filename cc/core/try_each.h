// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_TRY_EACH_H_
#define ROWFEED_CORE_TRY_EACH_H_

#include <cstddef>
#include <functional>

#include "core/status.h"

namespace rowfeed {

// Calls body(0), …, body(count - 1) as ParallelFor does, and returns all errors. After
// a kUnavailable or kCancelled, no further call begins, and that error is returned:
// else each of thousands of files would wait for a store that does not answer.
Status TryEach(size_t count, int num_threads,
               const std::function<Status(size_t)>& body);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_TRY_EACH_H_
