// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/stream_plan.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

Result<std::shared_ptr<EpochPlan>> MakePlan(std::vector<int64_t> group_rows,
                                            const OrderOptions& order, int64_t epoch) {
  ROWFEED_RETURN_NOT_OK(order.Validate());
  return std::make_shared<EpochPlan>(
      std::make_shared<const std::vector<int64_t>>(std::move(group_rows)), order,
      epoch);
}

void CheckLane(const EpochPlan& plan, int64_t lane) {
  if (lane < 0 || lane >= plan.num_lanes()) throw py::index_error("no such lane");
}

template <size_t kWidth>
py::array_t<int64_t> Table(const std::vector<std::array<int64_t, kWidth>>& rows) {
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(rows.size()),
                                          kWidth};
  return py::array_t<int64_t>(shape, rows.empty() ? nullptr : rows.front().data());
}

py::list Windows(const EpochPlan& plan, int64_t lane) {
  CheckLane(plan, lane);
  py::list windows;
  for (int64_t i = 0; i < plan.num_windows(lane); ++i) {
    std::vector<std::array<int64_t, 3>> pieces;
    for (const Piece& piece : plan.Pieces(plan.window(lane, i))) {
      pieces.push_back({piece.row_group, piece.begin, piece.end});
    }
    windows.append(Table(pieces));
  }
  return windows;
}

// Returns the pieces of all windows of a lane, end to end.
py::array_t<int64_t> Pieces(const EpochPlan& plan, int64_t lane) {
  CheckLane(plan, lane);
  std::vector<std::array<int64_t, 5>> pieces;
  for (int64_t i = 0; i < plan.num_windows(lane); ++i) {
    for (const Piece& piece : plan.Pieces(plan.window(lane, i))) {
      pieces.push_back({i, piece.row_group, piece.begin, piece.end, piece.block});
    }
  }
  return Table(pieces);
}

int64_t WindowIndex(const EpochPlan& plan, int64_t lane, int64_t row) {
  CheckLane(plan, lane);
  if (row < 0 || row >= plan.lane_rows(lane)) throw py::index_error("no such row");
  return plan.WindowAt(lane, row).index;
}

py::array_t<uint32_t> Permutation(const EpochPlan& plan, int64_t lane, int64_t window) {
  CheckLane(plan, lane);
  if (window < 0 || window >= plan.num_windows(lane)) {
    throw py::index_error("no such window");
  }
  const std::vector<uint32_t> order = plan.Permutation(plan.window(lane, window));
  return py::array_t<uint32_t>(static_cast<py::ssize_t>(order.size()), order.data());
}

// A Delivery of one data set, and the plan that it points to.
class PyDelivery {
 public:
  PyDelivery(std::shared_ptr<const EpochPlan> plan, int64_t start_row,
             const DeliveryOptions& options)
      : plan_(std::move(plan)), delivery_(&plan_, start_row, options) {}

  const Delivery& operator*() const { return delivery_; }

 private:
  const StreamPlan plan_;
  const Delivery delivery_;
};

Result<std::unique_ptr<PyDelivery>> MakeDelivery(std::shared_ptr<EpochPlan> plan,
                                                 int64_t start_row,
                                                 const DeliveryOptions& options) {
  ROWFEED_RETURN_NOT_OK(options.Validate());
  if (start_row < 0 || start_row > plan->num_rows()) {
    return Status::Invalid("start_row must be in [0, ", plan->num_rows(), "], not ",
                           start_row);
  }
  return std::make_unique<PyDelivery>(std::move(plan), start_row, options);
}

py::array_t<int64_t> Runs(const PyDelivery& delivery) {
  std::vector<std::array<int64_t, 9>> runs;
  std::vector<Place> places;
  for (WindowSchedule schedule(&*delivery); !schedule.done(); schedule.Pop()) {
    const WindowVisit& visit = schedule.next();
    for (const Run& run : (*delivery).Runs(visit, &places)) {
      runs.push_back({visit.window.lane, visit.window.index, visit.lap, run.arena,
                      run.begin, run.step, run.count, run.slot_begin, run.slot_step});
    }
  }
  return Table(runs);
}

Result<std::vector<size_t>> Rounds(const std::vector<int64_t>& rounds) {
  ROWFEED_RETURN_NOT_OK(RoundTable::Validate(rounds));
  const RoundTable table(rounds);
  std::vector<size_t> sources;
  sources.reserve(table.period());
  for (int64_t k = 0; k < table.period(); ++k) sources.push_back(table.SourceOf(k));
  return sources;
}

}  // namespace

void RegisterPlan(py::module_& module) {
  module.def("round_table", &Rounds, py::arg("rounds"));
  py::class_<EpochPlan, std::shared_ptr<EpochPlan>>(module, "EpochPlan")
      .def_static("make", &MakePlan, py::arg("group_rows"), py::arg("order"),
                  py::arg("epoch"))
      .def_property_readonly("num_rows", &EpochPlan::num_rows)
      .def_property_readonly("num_lanes", &EpochPlan::num_lanes)
      .def("windows", &Windows, py::arg("lane"))
      .def("pieces", &Pieces, py::arg("lane"))
      .def("window_index", &WindowIndex, py::arg("lane"), py::arg("row"))
      .def("permutation", &Permutation, py::arg("lane"), py::arg("window"));
  py::class_<PyDelivery>(module, "Delivery")
      .def_static("make", &MakeDelivery, py::arg("plan"), py::arg("start_row"),
                  py::arg("delivery"))
      .def_property_readonly(
          "num_batches", [](const PyDelivery& self) { return (*self).num_batches(); })
      .def(
          "valid_rows",
          [](const PyDelivery& self, int64_t k) { return (*self).ValidRows(k); },
          py::arg("batch"))
      .def(
          "batch_rows",
          [](const PyDelivery& self, int64_t k) { return (*self).ArenaRows(k); },
          py::arg("batch"))
      .def(
          "position_after",
          [](const PyDelivery& self, int64_t k) { return (*self).PositionAfter(k); },
          py::arg("batch"))
      .def("runs", &Runs);
}

}  // namespace rowfeed
