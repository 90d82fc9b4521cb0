// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/take/row_taker.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/stream/options/options.h"
#include "python/batch_tensors.h"
#include "python/gil.h"
#include "python/interruption.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

using Rows = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

// A RowTaker whose batches are arrays or tensors of Python. It releases the GIL to
// wait.
class PyRowTaker {
 public:
  PyRowTaker(std::shared_ptr<Catalog> catalog, const StreamOptions& options,
             int64_t memory_budget_bytes, const std::optional<py::capsule>& exchange)
      : taker_(MakeTaker(std::move(catalog), options, memory_budget_bytes)),
        tensors_(taker_->outputs(), exchange) {}

  ~PyRowTaker() {
    GilReleased unlocked;
    taker_.reset();
  }

  py::tuple Take(const Rows& indices) {
    const std::vector<int64_t> rows(indices.data(), indices.data() + indices.size());
    Interruption interruption;
    Result<Batch> batch = [&] {
      const GilReleased unlocked;
      return taker_->Take(rows, [&] { return interruption.Asked(); });
    }();
    interruption.Raise();
    if (!batch.ok()) RaiseStatus(batch.status());
    return tensors_.Of(*std::move(batch));
  }

  py::bytes Json() const { return ToJson(taker_->stats()); }

  int64_t BytesKept() const { return taker_->bytes_kept(); }

 private:
  static std::unique_ptr<RowTaker> MakeTaker(std::shared_ptr<Catalog> catalog,
                                             const StreamOptions& options,
                                             int64_t memory_budget_bytes) {
    auto taker =
        RowTaker::Make(std::move(catalog), options.columns, options.num_threads,
                       memory_budget_bytes, options.verify_checksums);
    if (!taker.ok()) RaiseStatus(taker.status());
    return *std::move(taker);
  }

  std::unique_ptr<RowTaker> taker_;
  BatchTensors tensors_;
};

}  // namespace

void RegisterRowTaker(py::module_& module) {
  py::class_<PyRowTaker>(module, "RowTaker")
      .def(py::init<std::shared_ptr<Catalog>, const StreamOptions&, int64_t,
                    const std::optional<py::capsule>&>(),
           py::arg("catalog"), py::arg("options"), py::kw_only(),
           py::arg("memory_budget_bytes"), py::arg("exchange") = py::none())
      .def("take", &PyRowTaker::Take, py::arg("rows"))
      .def("stats", &PyRowTaker::Json, "UTF-8; the names of columns may be any bytes")
      .def_property_readonly("bytes_kept",
                             py::cpp_function(&PyRowTaker::BytesKept, Unlocked()));
}

}  // namespace rowfeed
