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

// Paths and column names need not be UTF-8; a message must be printable all the same.
pybind11::str MessageString(const std::string& text) {
  PyObject* message = PyUnicode_DecodeUTF8(
      text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (message == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(message);
}

void RaiseStatus(const Status& status) {
  const pybind11::str message = MessageString(status.message());
  PyErr_SetObject(ExceptionOf(status.code()), message.ptr());
  throw pybind11::error_already_set();
}

}  // namespace rowfeed
