// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>

#include "core/io/file_systems.h"
#include "core/plan/random.h"
#include "python/registration.h"

PYBIND11_MODULE(_core, module) {
  module.attr("ORDER_VERSION") = rowfeed::kOrderVersion;
  module.def("close_file_systems", &rowfeed::CloseFileSystems,
             pybind11::call_guard<pybind11::gil_scoped_release>());
  rowfeed::RegisterCatalog(module);
  rowfeed::RegisterPlan(module);
  rowfeed::RegisterOptions(module);
  rowfeed::RegisterDatasetRows(module);
  rowfeed::RegisterSnapshots(module);
  rowfeed::RegisterCursor(module);
  rowfeed::RegisterPackedBatch(module);
  rowfeed::RegisterBatchStream(module);
  rowfeed::RegisterRowTaker(module);
}
