// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/snapshots.h"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "python/gil.h"
#include "python/interruption.h"
#include "python/lying_files.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

// Begins an epoch, and returns how many rows it has. Counts those that pass the filter.
Result<int64_t> Begin(Snapshots& snapshots, int64_t epoch,
                      Interruption::IsAbandoned is_abandoned) {
  Interruption interruption(std::move(is_abandoned));
  std::shared_ptr<DatasetRows> rows;
  const Result<int64_t> num_rows = [&]() -> Result<int64_t> {
    const GilReleased unlocked;
    const auto cancelled = [&] { return interruption.Asked(); };
    ROWFEED_ASSIGN_OR_RETURN(rows, snapshots.Begin(epoch, cancelled));
    return rows->NumRows(cancelled);
  }();
  interruption.Raise();
  if (rows) WarnOfLyingFiles(*rows);
  return num_rows;
}

// Returns the rows of an epoch that has begun.
Result<std::shared_ptr<DatasetRows>> RowsOf(Snapshots& snapshots, int64_t epoch) {
  if (snapshots.FingerprintOf(epoch).empty()) {
    return Status::Invalid("epoch ", epoch, " has not begun");
  }
  return snapshots.Begin(epoch, nullptr);
}

py::bytes Save(const Snapshots& snapshots, int64_t epoch) {
  const Result<std::string> saved = [&] {
    const GilReleased unlocked;
    return snapshots.Save(epoch);
  }();
  if (!saved.ok()) RaiseStatus(saved.status());
  return *saved;
}

py::bytes SaveCounts(const Snapshots& snapshots, int64_t epoch) {
  std::string counts;
  {
    const py::gil_scoped_release unlocked;
    counts = snapshots.SaveCounts(epoch);
  }
  return counts;
}

Status Resume(Snapshots& snapshots, int64_t epoch, const std::string& fingerprint,
              bool may_be_gone, const py::bytes& counts) {
  const auto view = static_cast<std::string_view>(counts);
  const py::gil_scoped_release unlocked;
  return snapshots.Resume(epoch, fingerprint, may_be_gone, view);
}

Status Load(Snapshots& snapshots, int64_t epoch, const py::bytes& saved) {
  const auto view = static_cast<std::string_view>(saved);
  const GilReleased unlocked;
  return snapshots.Load(epoch, view);
}

}  // namespace

void RegisterSnapshots(py::module_& module) {
  py::class_<Snapshots, std::shared_ptr<Snapshots>>(
      module, "Snapshots", py::release_gil_before_calling_cpp_dtor())
      .def(py::init<std::shared_ptr<DatasetRows>, const StreamOptions&>(),
           py::arg("first"), py::arg("options"))
      .def("begin", &Begin, py::arg("epoch"), py::arg("is_abandoned") = py::none())
      .def("fingerprint_of", &Snapshots::FingerprintOf, Unlocked(), py::arg("epoch"))
      .def("rows_of", &RowsOf, Unlocked(), py::arg("epoch"))
      .def("save", &Save, py::arg("epoch"))
      .def("load", &Load, py::arg("epoch"), py::arg("saved"))
      .def("save_counts", &SaveCounts, py::arg("epoch"))
      .def("resume", &Resume, py::arg("epoch"), py::arg("fingerprint"), py::kw_only(),
           py::arg("may_be_gone"), py::arg("counts") = py::bytes());
}

}  // namespace rowfeed
