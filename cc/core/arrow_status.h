// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_ARROW_STATUS_H_
#define ROWFEED_CORE_ARROW_STATUS_H_

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "arrow/result.h"
#include "arrow/status.h"
#include "core/status.h"
#include "parquet/exception.h"

namespace rowfeed {

// Conversions between Arrow's errors and ours, in both directions.

// Carries a Status of ours through Arrow's code, so that it comes out unchanged.
class OwnStatus final : public arrow::StatusDetail {
 public:
  static constexpr char kTypeId[] = "rowfeed::OwnStatus";

  explicit OwnStatus(Status status) : status_(std::move(status)) {}
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return status_.message(); }
  const Status& status() const { return status_; }

 private:
  const Status status_;
};

inline arrow::Status ToArrow(const Status& status) {
  if (status.ok()) return arrow::Status::OK();
  return {arrow::StatusCode::IOError, status.message(),
          std::make_shared<OwnStatus>(status)};
}

// Converts an error of Arrow. Arrow reads only files and buffers of ours, whose errors
// come out unchanged (OwnStatus). So any other error of Arrow is about bytes in memory:
// even an IOError, which its codecs return for damaged bytes, is kCorrupt.
inline Status FromArrow(const arrow::Status& status) {
  if (status.ok()) return {};
  const arrow::StatusDetail* detail = status.detail().get();
  if (detail != nullptr && std::string_view(detail->type_id()) == OwnStatus::kTypeId) {
    return static_cast<const OwnStatus*>(detail)->status();
  }
  StatusCode code = StatusCode::kCorrupt;
  if (status.IsOutOfMemory()) code = StatusCode::kOutOfMemory;
  if (status.IsNotImplemented()) code = StatusCode::kUnsupported;
  return {code, status.message()};
}

// Returns the text of an exception without spaces and line breaks at its end, which
// some of Parquet's have.
inline std::string WhatOf(const std::exception& error) {
  std::string text = error.what();
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

// Runs `function`, which calls Arrow's Parquet library and returns a Status or Result.
// Turns exceptions into a Status.
template <typename Function>
auto CatchParquet(Function&& function) -> decltype(function()) {
  try {
    return std::forward<Function>(function)();
  } catch (const parquet::ParquetStatusException& e) {
    return FromArrow(e.status());
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& e) {
    return Status(StatusCode::kCorrupt, WhatOf(e));
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
