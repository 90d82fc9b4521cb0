// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>

#include "python/status_caster.h"

namespace rowfeed {
namespace {

PyObject* ExceptionOf(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalid:
      return PyExc_ValueError;
    case StatusCode::kType:
      return PyExc_TypeError;
    case StatusCode::kKey:
      return PyExc_KeyError;
    case StatusCode::kNotFound:
      return PyExc_FileNotFoundError;
    case StatusCode::kPermission:
      return PyExc_PermissionError;
    case StatusCode::kUnsupported:
      return PyExc_NotImplementedError;
    case StatusCode::kIo:
    case StatusCode::kUnavailable:
    case StatusCode::kCorrupt:
      return PyExc_OSError;
    case StatusCode::kOutOfMemory:
      return PyExc_MemoryError;
    case StatusCode::kOk:
    case StatusCode::kCancelled:
    case StatusCode::kInternal:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

void RaiseStatus(const Status& status) {
  PyErr_SetString(ExceptionOf(status.code()), status.message().c_str());
  throw pybind11::error_already_set();
}

}  // namespace rowfeed
