// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/cursor.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/stream/dataset_place.h"
#include "python/gil.h"
#include "python/registration.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

std::shared_ptr<Cursor> MakeCursor(SourceRows sources, int64_t first_epoch,
                                   int num_threads, int64_t memory_budget_bytes,
                                   std::shared_ptr<Snapshots> snapshots) {
  return std::make_shared<Cursor>(std::move(sources), first_epoch, num_threads,
                                  memory_budget_bytes, std::move(snapshots));
}

// Returns what iterations have done, in the form of ToJson.
py::bytes Json(Cursor& cursor) {
  std::string json;
  {
    GilReleased unlocked;
    json = ToJson(cursor.stats());
  }
  return json;
}

void CountTransform(Cursor& cursor, int64_t work_ns) {
  cursor.Add(Count::kTransform, work_ns);
}

}  // namespace

void RegisterCursor(py::module_& module) {
  py::class_<Progress>(module, "Progress")
      .def(py::init(
               [](int64_t epoch, int64_t row, int64_t next_epoch, int64_t epochs_done) {
                 return Progress{epoch, row, next_epoch, epochs_done};
               }),
           py::arg("epoch"), py::arg("row"), py::arg("next_epoch"),
           py::arg("epochs_done"))
      .def_readonly("epoch", &Progress::epoch)
      .def_readonly("row", &Progress::row)
      .def_readonly("next_epoch", &Progress::next_epoch)
      .def_readonly("epochs_done", &Progress::epochs_done)
      .def("astuple", [](const Progress& p) {
        return py::make_tuple(p.epoch, p.row, p.next_epoch, p.epochs_done);
      });
  py::class_<Cursor, std::shared_ptr<Cursor>>(module, "Cursor",
                                              py::release_gil_before_calling_cpp_dtor())
      .def(py::init(&MakeCursor), py::arg("sources"), py::kw_only(),
           py::arg("first_epoch"), py::arg("num_threads"),
           py::arg("memory_budget_bytes"), py::arg("snapshots") = nullptr)
      .def("stats", &Json, "UTF-8; the names of columns may be any bytes")
      .def("count_transform", &CountTransform, Unlocked(), py::kw_only(),
           py::arg("work_ns"))
      .def("peek", &Cursor::Peek, Unlocked())
      .def("move", &Cursor::Move, Unlocked(), py::arg("progress"));
  py::class_<DatasetPlace, std::shared_ptr<DatasetPlace>>(
      module, "DatasetPlace", py::release_gil_before_calling_cpp_dtor())
      .def(py::init<std::shared_ptr<Cursor>>(), py::arg("cursor"))
      .def_property_readonly("cursor", &DatasetPlace::cursor)
      .def("latest", &DatasetPlace::Latest, Unlocked())
      .def("move", &DatasetPlace::Move, Unlocked(), py::arg("progress"));
  module.def("leave_place", &LeavePlace, Unlocked(), py::arg("name"), py::arg("place"));
}

}  // namespace rowfeed
