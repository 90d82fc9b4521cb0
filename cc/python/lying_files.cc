// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/lying_files.h"

#include <pybind11/pybind11.h>

#include <string>

#include "python/status_caster.h"

namespace rowfeed {

void WarnOfLyingFiles(DatasetRows& rows) {
  for (const std::string& warning : rows.TakeWarnings()) {
    const auto text = static_cast<std::string>(MessageString(warning));
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), /*stack_level=*/2) != 0) {
      throw pybind11::error_already_set();
    }
  }
}

}  // namespace rowfeed
