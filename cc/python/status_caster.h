// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_STATUS_CASTER_H_
#define ROWFEED_PYTHON_STATUS_CASTER_H_

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "core/status.h"

// Bound functions return Status or Result<T>. The casters below raise an exception
// unless the status is OK. They run with the GIL, even if the function has the guard
// `Unlocked`.

namespace rowfeed {

// Returns a message as a Python str.
pybind11::str MessageString(const std::string& text);

// Raises the built-in exception that stands for the code of a status that is not OK.
[[noreturn]] void RaiseStatus(const Status& status);

}  // namespace rowfeed

namespace pybind11::detail {

template <>
struct type_caster<rowfeed::Status> {
  PYBIND11_TYPE_CASTER(rowfeed::Status, const_name("None"));

  static handle cast(const rowfeed::Status& status, return_value_policy, handle) {
    if (!status.ok()) rowfeed::RaiseStatus(status);
    return none().release();
  }
};

template <typename T>
struct type_caster<rowfeed::Result<T>> {
  using Value = make_caster<T>;
  static constexpr auto name = Value::name;  // NOLINT: pybind11 asks for it

  static handle cast(rowfeed::Result<T>&& result, return_value_policy policy,
                     handle parent) {
    if (!result.ok()) rowfeed::RaiseStatus(result.status());
    return Value::cast(*std::move(result), policy, parent);
  }
};

}  // namespace pybind11::detail

#endif  // ROWFEED_PYTHON_STATUS_CASTER_H_
