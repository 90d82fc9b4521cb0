// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PARALLEL_FOR_H_
#define ROWFEED_CORE_PARALLEL_FOR_H_

#include <cstddef>
#include <functional>

namespace rowfeed {

// Calls body(0), …, body(count - 1), each once, on this thread and up to num_threads -
// 1 more, and returns when all are done. `body` must not throw. If the system gives
// fewer threads, these do the work.
void ParallelFor(size_t count, int num_threads,
                 const std::function<void(size_t)>& body);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PARALLEL_FOR_H_
