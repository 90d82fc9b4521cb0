// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_REGISTRATION_H_
#define ROWFEED_PYTHON_REGISTRATION_H_

#include <pybind11/pybind11.h>

namespace rowfeed {

// Each function binds what one file of this folder defines. Its types are in
// python/rowfeed/_core.pyi.
void RegisterCatalog(pybind11::module_& module);
void RegisterPlan(pybind11::module_& module);
void RegisterStreamPlan(pybind11::module_& module);
void RegisterOptions(pybind11::module_& module);
void RegisterCursor(pybind11::module_& module);
void RegisterDatasetRows(pybind11::module_& module);
void RegisterEpochForecast(pybind11::module_& module);
void RegisterSnapshots(pybind11::module_& module);
void RegisterPackedBatch(pybind11::module_& module);
void RegisterBatchStream(pybind11::module_& module);
void RegisterRowTaker(pybind11::module_& module);

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_REGISTRATION_H_
