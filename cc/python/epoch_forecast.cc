// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_forecast.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>

#include "python/gil.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

Result<EpochForecast> Forecast(const StreamOptions& options, const SourceRows& sources,
                               int64_t epoch) {
  const GilReleased unlocked;
  return ForecastEpoch(options, sources, epoch);
}

// Returns None, or a dict with the number of rows that each statement decided.
py::object DecidedOf(const EpochForecast& forecast) {
  if (!forecast.decided) return py::none();
  py::dict decided;
  for (size_t i = 0; i < forecast.decided->rows.size(); ++i) {
    decided[EnumTable<DecidedBy>::kNames[i]] = forecast.decided->rows[i];
  }
  return decided;
}

}  // namespace

void RegisterEpochForecast(py::module_& module) {
  py::class_<MixingForecast>(module, "MixingForecast")
      .def_readonly("row_groups_per_batch", &MixingForecast::row_groups_per_batch)
      .def_readonly("files_per_batch", &MixingForecast::files_per_batch)
      .def_readonly("displacement_rows", &MixingForecast::displacement_rows);
  py::class_<EpochForecast>(module, "EpochForecast")
      .def_readonly("num_files", &EpochForecast::num_files)
      .def_readonly("num_row_groups", &EpochForecast::num_row_groups)
      .def_readonly("read_bytes", &EpochForecast::read_bytes)
      .def_readonly("is_read_exact", &EpochForecast::is_read_exact)
      .def_readonly("first_batch_bytes", &EpochForecast::first_batch_bytes)
      .def_readonly("num_requests", &EpochForecast::num_requests)
      .def_readonly("num_windows", &EpochForecast::num_windows)
      .def_readonly("window_rows", &EpochForecast::window_rows)
      .def_readonly("window_blocks", &EpochForecast::window_blocks)
      .def_readonly("excluded_row_groups", &EpochForecast::excluded_row_groups)
      .def_property_readonly("decided_rows", &DecidedOf)
      .def_readonly("copied_bytes", &EpochForecast::copied_bytes)
      .def_readonly("by_index_bytes", &EpochForecast::by_index_bytes)
      .def_readonly("mixing", &EpochForecast::mixing);
  module.def("forecast_epoch", &Forecast, py::arg("options"), py::arg("sources"),
             py::arg("epoch"));
}

}  // namespace rowfeed
