// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "core/build_id.h"
#include "core/io/file_systems.h"
#include "core/plan/random.h"
#include "core/stream/open_streams.h"
#include "python/gil.h"
#include "python/registration.h"

PYBIND11_MODULE(_core, module) {
  if (std::string_view(rowfeed::LibraryBuildId()) != ROWFEED_BUILD_ID) {
    throw pybind11::import_error("rowfeed/_core belongs to the build " ROWFEED_BUILD_ID
                                 " of the kernel library, not to " +
                                 std::string(rowfeed::LibraryBuildId()));
  }
  module.attr("ORDER_VERSION") = rowfeed::kOrderVersion;
  module.def("begin_exit", &rowfeed::BeginExit);
  module.def("close_streams", &rowfeed::CloseStreams, rowfeed::Unlocked());
  module.def("close_file_systems", &rowfeed::CloseFileSystems, rowfeed::Unlocked());
  rowfeed::RegisterCatalog(module);
  rowfeed::RegisterPlan(module);
  rowfeed::RegisterOptions(module);
  rowfeed::RegisterDatasetRows(module);
  rowfeed::RegisterStreamPlan(module);
  rowfeed::RegisterEpochForecast(module);
  rowfeed::RegisterSnapshots(module);
  rowfeed::RegisterCursor(module);
  rowfeed::RegisterPackedBatch(module);
  rowfeed::RegisterBatchStream(module);
  rowfeed::RegisterRowTaker(module);
}
