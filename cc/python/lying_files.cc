// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/lying_files.h"

#include <pybind11/pybind11.h>

#include <string>

namespace rowfeed {

void WarnOfLyingFiles(DatasetRows& rows) {
  for (const std::string& warning : rows.TakeWarnings()) {
    if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), /*stack_level=*/2) != 0) {
      throw pybind11::error_already_set();
    }
  }
}

}  // namespace rowfeed
