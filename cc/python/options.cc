// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/options.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/block_advice.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/options/mix_streams.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/settled.h"
#include "core/stream/options/stream_defaults.h"
#include "core/stream/options/validate_stream.h"
#include "python/field_binding.h"
#include "python/field_casters.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

void RegisterOrder(py::module_& module) {
  py::class_<OrderOptions> options(module, "OrderOptions");
  BindFields(&options);
  module.attr("MAX_LANES") = OrderOptions::kMaxLanes;
}

void RegisterDelivery(py::module_& module) {
  py::class_<DeliveryOptions> options(module, "DeliveryOptions");
  BindFields(&options);
  options.def_property_readonly("global_batch", &DeliveryOptions::global_batch);
  module.attr("MAX_BATCH_SIZE") = DeliveryOptions::kMaxBatchSize;
  module.attr("MAX_WORLD_SIZE") = DeliveryOptions::kMaxWorldSize;
}

// Returns what batches hold of a column of `catalog`.
Result<Column> ColumnOf(const ColumnSpec& spec, const Catalog& catalog) {
  ROWFEED_RETURN_NOT_OK(ValidateColumnSpec(spec, catalog));
  ROWFEED_ASSIGN_OR_RETURN(ResolvedColumn source, ResolveColumn(spec, catalog));
  return std::move(source.column);
}

ColumnSpec MakeColumnSpec(const Catalog& catalog, const std::string& column,
                          std::optional<DType> dtype, std::string unit,
                          std::shared_ptr<Vocabulary> vocabulary, int64_t num_buckets,
                          Mask mask) {
  ColumnSpec spec = FindColumnSpec(catalog, column);
  spec.dtype = dtype;
  spec.unit = std::move(unit);
  spec.encoding = {std::move(vocabulary), num_buckets};
  spec.mask = mask;
  return spec;
}

void SetPadding(ColumnSpec& spec, std::vector<int64_t> lengths,
                Padding::Truncate truncate, const py::bytes& value) {
  spec.padding = Padding{std::move(lengths), truncate, static_cast<std::string>(value)};
}

// Returns the columns that batches hold, in their order.
Result<std::vector<Column>> OutputColumns(const StreamOptions& options,
                                          const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const BatchLayout layout,
                           LayOutBatches(options.columns, catalog));
  std::vector<Column> columns;
  columns.reserve(layout.outputs.size());
  for (const Output& output : layout.outputs) columns.push_back(output.column);
  return columns;
}

Result<std::shared_ptr<Vocabulary>> MakeVocabulary(
    const std::vector<std::string>& strings, std::optional<int64_t> unknown,
    int64_t first) {
  auto made = Vocabulary::Make(strings, unknown, first);
  if (!made.ok()) return made.status();
  return std::const_pointer_cast<Vocabulary>(
      *std::move(made));  // pybind11 holds no pointers to const
}

void RegisterColumnSpec(py::module_& module) {
  // `strings` may be str or bytes.
  py::class_<Vocabulary, std::shared_ptr<Vocabulary>>(module, "Vocabulary")
      .def_static("make", &MakeVocabulary, py::arg("strings"), py::arg("unknown"),
                  py::arg("first"));
  module.def("hash_bucket", &HashBucket, py::arg("string"), py::arg("num_buckets"));
  module.def("check_settled", &CheckSettled, py::arg("columns"), py::arg("catalog"));
  py::class_<ColumnSpec>(module, "ColumnSpec")
      .def(py::init(&MakeColumnSpec), py::arg("catalog"), py::arg("column"),
           py::kw_only(), py::arg("dtype"), py::arg("unit"), py::arg("vocabulary"),
           py::arg("num_buckets"), py::arg("mask"))
      .def("column", &ColumnOf, py::arg("catalog"))
      .def("set_fill",
           [](ColumnSpec& spec, const py::bytes& fill) {
             spec.fill = static_cast<std::string>(fill);
           })
      .def(
          "set_stack",
          [](ColumnSpec& spec, std::string name, bool by_rows) {
            spec.stack = Stack{std::move(name), by_rows};
          },
          py::arg("name"), py::arg("by_rows"))
      .def("set_padding", &SetPadding, py::arg("lengths"), py::arg("truncate"),
           py::arg("value"))
      .def(
          "set_shape",
          [](ColumnSpec& spec, std::vector<int64_t> shape) {
            spec.shape = std::move(shape);
          },
          py::arg("shape"));
}

// pybind11 holds no pointers to const.
using CatalogList = std::vector<std::shared_ptr<Catalog>>;

Catalogs CatalogsOf(const CatalogList& catalogs) {
  return {catalogs.begin(), catalogs.end()};
}

Result<StreamOptions> Mix(
    std::vector<StreamOptions> sources, StopRule stop,
    const std::vector<std::pair<int64_t, std::vector<int64_t>>>& weights) {
  MixtureOptions mixture;
  mixture.sources = std::move(sources);
  mixture.stop = stop;
  for (const auto& [first_epoch, rounds] : weights) {
    mixture.weights.push_back({first_epoch, rounds});
  }
  return MixStreams(std::move(mixture));
}

Result<int64_t> RowsOfEpoch(const StreamOptions& options,
                            const std::vector<int64_t>& source_rows, int64_t epoch) {
  return NumRowsIn(options, source_rows, epoch);
}

Result<StreamOptions> ParseOptions(const py::bytes& data) {
  return StreamOptions::Parse(static_cast<std::string_view>(data));
}

py::bytes SerializeOptions(const StreamOptions& options) { return options.Serialize(); }

void RegisterStream(py::module_& module) {
  py::class_<StreamOptions> options(module, "StreamOptions");
  BindFields(&options);
  options.def_static("parse", &ParseOptions, py::arg("data"))
      .def("serialize", &SerializeOptions)
      .def(py::pickle(&SerializeOptions,
                      [](const py::bytes& data) {
                        Result<StreamOptions> options = ParseOptions(data);
                        if (!options.ok()) RaiseStatus(options.status());
                        return *std::move(options);
                      }))
      .def_static("mix", &Mix, py::arg("sources"), py::kw_only(), py::arg("stop"),
                  py::arg("weights"))
      .def(
          "validate",
          [](const StreamOptions& options, const CatalogList& catalogs) {
            return ValidateStream(options, CatalogsOf(catalogs));
          },
          py::arg("catalogs"))
      .def("columns", &OutputColumns, py::arg("catalog"))
      .def_readonly("order", &StreamOptions::order)
      .def_readonly("delivery", &StreamOptions::delivery)
      // Python sets these later, because their defaults follow from the other options.
      .def_readwrite("memory_budget_bytes", &StreamOptions::memory_budget_bytes)
      .def_readwrite("max_batches_per_arena", &StreamOptions::max_batches_per_arena);
}

void RegisterMemoryPlan(py::module_& module) {
  py::class_<MemoryPlan>(module, "MemoryPlan")
      .def_readonly("window_rows", &MemoryPlan::window_rows)
      .def_readonly("window", &MemoryPlan::window)
      .def_readonly("num_windows", &MemoryPlan::num_windows)
      .def_property_readonly("minimum", &MemoryPlan::minimum)
      .def_property_readonly("with_read_ahead", &MemoryPlan::with_read_ahead);
  module.def(
      "plan_memory",
      [](const CatalogList& catalogs, StreamOptions options,
         std::optional<int> num_threads) {
        options.num_threads = num_threads.value_or(options.num_threads);
        return PlanMemory(CatalogsOf(catalogs), options);
      },
      py::arg("catalogs"), py::arg("options"), py::kw_only(),
      py::arg("num_threads") = py::none());
}

}  // namespace

void RegisterOptions(py::module_& module) {
  RegisterOrder(module);
  RegisterDelivery(module);
  RegisterColumnSpec(module);
  RegisterStream(module);
  RegisterMemoryPlan(module);
  module.def("default_shuffle_window", &DefaultShuffleWindow, py::arg("catalog"));
  module.def(
      "default_memory_budget",
      [](const CatalogList& catalogs, const StreamOptions& options) {
        return DefaultMemoryBudget(CatalogsOf(catalogs), options);
      },
      py::arg("catalogs"), py::arg("options"));
  module.def(
      "advised_blocks",
      [](const CatalogList& catalogs, const StreamOptions& options,
         int64_t bytes) -> std::optional<std::tuple<int64_t, int64_t, int64_t>> {
        const auto advice = AdviseBlocks(CatalogsOf(catalogs), options, bytes);
        if (!advice) return std::nullopt;
        return std::tuple(advice->block_rows, advice->shuffle_window, advice->bytes);
      },
      py::arg("catalogs"), py::arg("options"), py::arg("bytes"));
  module.def("epoch_rows", &RowsOfEpoch, py::arg("options"), py::arg("source_rows"),
             py::arg("epoch"));
  module.def("default_max_batches_per_arena", &DefaultMaxBatchesPerArena,
             py::arg("catalog"), py::arg("options"));
  module.def("batches_per_epoch", &BatchesPerEpoch, py::arg("num_rows"),
             py::arg("start_row"), py::arg("delivery"));
  module.def("row_of_step", &RowOfStep, py::arg("num_rows"), py::arg("start_row"),
             py::arg("step"), py::arg("delivery"));
}

}  // namespace rowfeed
