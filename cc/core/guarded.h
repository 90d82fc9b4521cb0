// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_GUARDED_H_
#define ROWFEED_CORE_GUARDED_H_

#include <exception>
#include <new>

#include "core/status.h"

namespace rowfeed {

// Runs `work`, which returns a Status or a Result, and turns exceptions into a Status.
// For code that no exception may leave: a task of a thread, or a function that a
// binding calls.
template <typename Work>
auto RunGuarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& e) {
    return Status(StatusCode::kInternal, e.what());
  }
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_GUARDED_H_
