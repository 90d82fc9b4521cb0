// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/stream_plan.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/enum_table.h"
#include "core/stream/epochs/dataset_rows.h"
#include "python/interruption.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

using Rows = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;
using Sources = std::vector<std::pair<std::shared_ptr<DatasetRows>, OrderOptions>>;

// Makes the plan of an epoch. `rounds` and `stop` are those of a mixture. If `rounds`
// is empty, there is one source, whose rows are the stream. Rows of filters are counted
// if need be.
Result<std::shared_ptr<StreamPlan>> Make(const Sources& sources,
                                         const std::vector<int64_t>& rounds,
                                         const std::string& stop, int64_t epoch) {
  const bool is_mixture = !rounds.empty();
  if (is_mixture) ROWFEED_RETURN_NOT_OK(RoundTable::Validate(rounds));
  if (sources.size() != (is_mixture ? rounds.size() : 1)) {
    return Status::Invalid("a plan of ", rounds.size(), " rounds cannot have ",
                           sources.size(), " sources");
  }
  std::vector<StreamPlan::Source> planned;
  Interruption interruption;
  const Status counted = [&]() -> Status {
    const py::gil_scoped_release unlocked;
    for (const auto& [rows, order] : sources) {
      ROWFEED_RETURN_NOT_OK(order.Validate());
      ROWFEED_ASSIGN_OR_RETURN(EpochRows of_epoch,
                               rows->Get([&] { return interruption.Asked(); }));
      planned.push_back({std::move(of_epoch), order});
    }
    return {};
  }();
  interruption.Raise();
  ROWFEED_RETURN_NOT_OK(counted);
  const py::gil_scoped_release unlocked;
  if (!is_mixture) {
    return std::make_shared<StreamPlan>(std::make_shared<EpochPlan>(
        std::move(planned[0].rows), planned[0].order, epoch));
  }
  ROWFEED_ASSIGN_OR_RETURN(const StopRule rule, ParseEnumerator<StopRule>(stop));
  return std::make_shared<StreamPlan>(std::move(planned), rounds, rule, epoch);
}

void CheckSource(const StreamPlan& plan, size_t source) {
  if (source >= plan.num_sources()) throw py::index_error("no such source");
}

// Returns for each row of the stream its source and its number in the source's own
// stream.
py::array_t<int64_t> SourcesOf(const StreamPlan& plan, const Rows& rows) {
  py::array_t<int64_t> found(std::vector<py::ssize_t>{rows.size(), 2});
  auto* out = found.mutable_data();
  const int64_t lanes = plan.num_lanes();
  for (py::ssize_t i = 0; i < rows.size(); ++i, out += 2) {
    const int64_t row = rows.data()[i];
    out[0] = 0;
    out[1] = row;
    if (plan.mixture() == nullptr) continue;
    const RoundTable& table = plan.mixture()->table();
    const size_t source = table.SourceOf(row / lanes);
    out[0] = static_cast<int64_t>(source);
    out[1] = table.RoundsBefore(source, row / lanes) * lanes + row % lanes;
  }
  return found;
}

// Returns the row of the stream that is row `row` of the source's own stream.
int64_t RowOf(const StreamPlan& plan, size_t source, int64_t row) {
  CheckSource(plan, source);
  if (plan.mixture() == nullptr) return row;
  const int64_t lanes = plan.num_lanes();
  const RoundTable& table = plan.mixture()->table();
  return table.RoundOf(source, row / lanes) * lanes + row % lanes;
}

std::shared_ptr<EpochPlan> Lap(const StreamPlan& plan, size_t source, int64_t lap) {
  CheckSource(plan, source);
  if (lap < 0 || (lap > 0 && plan.mixture() == nullptr)) {
    throw py::index_error("no such lap");
  }
  const py::gil_scoped_release unlocked;
  // Python has no constant objects, and nothing that it can call changes a plan.
  return std::const_pointer_cast<EpochPlan>(plan.Lap(source, lap));
}

}  // namespace

void RegisterStreamPlan(py::module_& module) {
  py::class_<StreamPlan, std::shared_ptr<StreamPlan>>(module, "StreamPlan")
      .def_static("make", &Make, py::arg("sources"), py::arg("rounds"), py::arg("stop"),
                  py::arg("epoch"))
      .def_property_readonly("num_rows", &StreamPlan::num_rows)
      .def("sources_of", &SourcesOf, py::arg("rows"))
      .def("row_of", &RowOf, py::arg("source"), py::arg("row"))
      .def("lap", &Lap, py::arg("source"), py::arg("lap"));
}

}  // namespace rowfeed
