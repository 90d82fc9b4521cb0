// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_ARROW_STATUS_H_
#define ROWFEED_CORE_ARROW_STATUS_H_

#include <exception>
#include <new>
#include <utility>

#include "arrow/result.h"
#include "arrow/status.h"
#include "core/status.h"
#include "parquet/exception.h"

namespace rowfeed {

// The frontier between Arrow's errors and ours, both ways in one place.

inline Status FromArrow(const arrow::Status& status) {
  if (status.ok()) return {};
  StatusCode code = StatusCode::kCorrupt;
  if (status.IsOutOfMemory()) code = StatusCode::kOutOfMemory;
  if (status.IsIOError()) code = StatusCode::kIo;
  if (status.IsNotImplemented()) code = StatusCode::kUnsupported;
  return {code, status.message()};
}

// Runs `function`, which calls Parquet and returns Status or Result, and turns what
// Parquet throws into a Status.
template <typename Function>
auto CatchParquet(Function&& function) -> decltype(function()) {
  try {
    return std::forward<Function>(function)();
  } catch (const parquet::ParquetStatusException& e) {
    return FromArrow(e.status());
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& e) {
    return Status(StatusCode::kCorrupt, e.what());
  }
}

}  // namespace rowfeed

#define ROWFEED_ARROW_RETURN_NOT_OK(expr) \
  ROWFEED_RETURN_NOT_OK(::rowfeed::FromArrow((expr)))

#define ROWFEED_ARROW_ASSIGN_OR_RETURN_IMPL_(result, lhs, expr)   \
  auto result = (expr);                                           \
  if (!result.ok()) return ::rowfeed::FromArrow(result.status()); \
  lhs = std::move(result).ValueUnsafe()

#define ROWFEED_ARROW_ASSIGN_OR_RETURN(lhs, expr) \
  ROWFEED_ARROW_ASSIGN_OR_RETURN_IMPL_(           \
      ROWFEED_CONCAT_(rowfeed_arrow_result_, __COUNTER__), lhs, expr)

#endif  // ROWFEED_CORE_ARROW_STATUS_H_
