// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STATUS_H_
#define ROWFEED_CORE_STATUS_H_

#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/printable.h"

namespace rowfeed {

// The kinds of errors, as far as a caller acts differently on them. The adapters map
// each code to one exception class (cc/python) or one error code of TensorFlow
// (cc/tensorflow).
enum class StatusCode {
  kOk,
  kInvalid,      // a wrong argument or a file that is not Parquet: ValueError
  kType,         // a value of the wrong type: TypeError
  kKey,          // an unknown column: KeyError
  kNotFound,     // a missing path: FileNotFoundError
  kPermission,   // a path that may not be read: PermissionError
  kUnsupported,  // a type or feature that rowfeed does not read: NotImplementedError
  kIo,           // a failed read: OSError
  kUnavailable,  // a failed read that may succeed if it is tried again: OSError
  kCorrupt,      // bytes that contradict the footer or the format: OSError
  kOutOfMemory,  // the system or a limit has no more memory: MemoryError
  kCancelled,    // the stream was closed or cancelled: RuntimeError
  kInternal,     // a bug in rowfeed: RuntimeError
};

// The outcome of an operation: OK, or an error code and a message for people. Messages
// contain names that come from files, so each message is made printable. Plain C++17,
// so that the public headers of the core need neither Arrow nor absl.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : code_(code), message_(Printable(std::move(message))) {}

  // Makes an error from several messages, each on a line of its own.
  static Status OfLines(StatusCode code, const std::vector<std::string>& lines) {
    Status status;
    status.code_ = code;
    for (const std::string& line : lines) {
      if (!status.message_.empty()) status.message_ += "\n  ";
      status.message_ += line;
    }
    return status;
  }

  // Makes an error whose message is all arguments, as a stream prints them.
  template <typename... Args>
  static Status Make(StatusCode code, const Args&... args) {
    std::ostringstream out;
    (out << ... << args);
    return {code, out.str()};
  }
  template <typename... Args>
  static Status Invalid(const Args&... args) {
    return Make(StatusCode::kInvalid, args...);
  }
  template <typename... Args>
  static Status Corrupt(const Args&... args) {
    return Make(StatusCode::kCorrupt, args...);
  }
  template <typename... Args>
  static Status Unsupported(const Args&... args) {
    return Make(StatusCode::kUnsupported, args...);
  }

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

  // Returns the error with `prefix` before its message: "path, row group 3, column 'x':
  // …". OK stays OK.
  Status WithContext(const std::string& prefix) const {
    if (ok()) return *this;
    Status status = *this;
    status.message_.insert(0, Printable(prefix) + ": ");
    return status;
  }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit by design

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace rowfeed

#define ROWFEED_CONCAT_INNER_(x, y) x##y
#define ROWFEED_CONCAT_(x, y) ROWFEED_CONCAT_INNER_(x, y)

#define ROWFEED_RETURN_NOT_OK(expr)                    \
  do {                                                 \
    ::rowfeed::Status rowfeed_status_ = (expr);        \
    if (!rowfeed_status_.ok()) return rowfeed_status_; \
  } while (false)

#define ROWFEED_ASSIGN_OR_RETURN_IMPL_(result, lhs, expr) \
  auto result = (expr);                                   \
  if (!result.ok()) return result.status();               \
  lhs = *std::move(result)

#define ROWFEED_ASSIGN_OR_RETURN(lhs, expr)                                          \
  ROWFEED_ASSIGN_OR_RETURN_IMPL_(ROWFEED_CONCAT_(rowfeed_result_, __COUNTER__), lhs, \
                                 expr)

#endif  // ROWFEED_CORE_STATUS_H_
