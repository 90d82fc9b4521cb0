// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/options.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
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
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/settled.h"
#include "core/stream/options/stream_defaults.h"
#include "core/stream/options/validate_stream.h"
#include "python/parsing.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

// In the order of the enumerators.
constexpr std::array kRemainders = {"drop", "pad", "wrap", "uneven"};

Remainder ParseRemainder(std::string_view name) {
  for (size_t i = 0; i < kRemainders.size(); ++i) {
    if (name == kRemainders[i]) return static_cast<Remainder>(i);
  }
  throw py::value_error("no such remainder: " + std::string(name));
}

void RegisterOrder(py::module_& module) {
  py::class_<OrderOptions>(module, "OrderOptions")
      .def(py::init([](bool shuffle, uint64_t seed, int64_t shuffle_window,
                       int64_t block_rows, int64_t num_lanes) {
             OrderOptions options;
             options.shuffle = shuffle;
             options.seed = seed;
             options.shuffle_window = shuffle_window;
             options.block_rows = block_rows;
             options.num_lanes = num_lanes;
             return options;
           }),
           py::kw_only(), py::arg("shuffle"), py::arg("seed"),
           py::arg("shuffle_window"), py::arg("block_rows"), py::arg("num_lanes"))
      .def_readonly("shuffle", &OrderOptions::shuffle)
      .def_readonly("seed", &OrderOptions::seed)
      .def_readonly("shuffle_window", &OrderOptions::shuffle_window)
      .def_readonly("block_rows", &OrderOptions::block_rows)
      .def_readonly("num_lanes", &OrderOptions::num_lanes);
}

void RegisterDelivery(py::module_& module) {
  py::class_<DeliveryOptions>(module, "DeliveryOptions")
      .def(py::init([](int64_t batch_size, int64_t rank, int64_t world_size,
                       std::string_view remainder) {
             return DeliveryOptions{batch_size, rank, world_size,
                                    ParseRemainder(remainder)};
           }),
           py::kw_only(), py::arg("batch_size"), py::arg("rank"), py::arg("world_size"),
           py::arg("remainder"))
      .def_readonly("batch_size", &DeliveryOptions::batch_size)
      .def_readonly("rank", &DeliveryOptions::rank)
      .def_readonly("world_size", &DeliveryOptions::world_size)
      .def_property_readonly(
          "remainder",
          [](const DeliveryOptions& options) {
            return kRemainders[static_cast<size_t>(options.remainder)];
          })
      .def_property_readonly("global_batch", &DeliveryOptions::global_batch);
}

// What batches hold of a feature of `catalog`.
Result<Column> ColumnOf(const Feature& feature, const Catalog& catalog) {
  ROWFEED_RETURN_NOT_OK(ValidateFeature(feature, catalog));
  ROWFEED_ASSIGN_OR_RETURN(FeatureSource source, ResolveFeature(feature, catalog));
  return std::move(source.column);
}

// In the order of the enumerators.
constexpr std::array kMasks = {"none", "elements", "rows"};
constexpr std::array kTruncates = {"end", "start", "never"};

Feature MakeFeature(const Catalog& catalog, const std::string& column,
                    const std::optional<std::string>& dtype, std::string unit,
                    std::shared_ptr<Vocabulary> vocabulary, int64_t num_buckets,
                    std::string_view mask) {
  Feature feature = FindFeature(catalog, column);
  if (dtype) feature.dtype = ParseDType(*dtype);
  feature.unit = std::move(unit);
  feature.encoding = {std::move(vocabulary), num_buckets};
  for (size_t i = 0; i < kMasks.size(); ++i) {
    if (mask == kMasks[i]) feature.mask = static_cast<Mask>(i);
  }
  return feature;
}

void SetPadding(Feature& feature, std::vector<int64_t> lengths,
                std::string_view truncate, const py::bytes& value) {
  Padding padding;
  padding.lengths = std::move(lengths);
  padding.value = static_cast<std::string>(value);
  for (size_t i = 0; i < kTruncates.size(); ++i) {
    if (truncate == kTruncates[i]) padding.truncate = static_cast<Padding::Truncate>(i);
  }
  feature.padding = std::move(padding);
}

// What batches hold, in this order.
Result<std::vector<Column>> OutputColumns(const StreamOptions& options,
                                          const Catalog& catalog) {
  ROWFEED_ASSIGN_OR_RETURN(const BatchLayout layout,
                           LayOutBatches(options.features, catalog));
  std::vector<Column> columns;
  columns.reserve(layout.outputs.size());
  for (const Output& output : layout.outputs) columns.push_back(output.column);
  return columns;
}

Result<std::shared_ptr<Vocabulary>> MakeVocabulary(
    const std::vector<std::string>& strings, std::optional<int64_t> unknown) {
  auto made = Vocabulary::Make(strings, unknown);
  if (!made.ok()) return made.status();
  return std::const_pointer_cast<Vocabulary>(
      *std::move(made));  // pybind11 has no const
}

void RegisterFeature(py::module_& module) {
  // Strings are str or bytes.
  py::class_<Vocabulary, std::shared_ptr<Vocabulary>>(module, "Vocabulary")
      .def_static("make", &MakeVocabulary, py::arg("strings"), py::arg("unknown"));
  module.def("check_settled", &CheckSettled, py::arg("features"), py::arg("catalog"));
  py::class_<Feature>(module, "Feature")
      .def(py::init(&MakeFeature), py::arg("catalog"), py::arg("column"), py::kw_only(),
           py::arg("dtype"), py::arg("unit"), py::arg("vocabulary"),
           py::arg("num_buckets"), py::arg("mask"))
      .def("column", &ColumnOf, py::arg("catalog"))
      .def("set_fill",
           [](Feature& feature, const py::bytes& fill) {
             feature.fill = static_cast<std::string>(fill);
           })
      .def(
          "set_stack",
          [](Feature& feature, std::string name, bool by_rows) {
            feature.stack = Stack{std::move(name), by_rows};
          },
          py::arg("name"), py::arg("by_rows"))
      .def("set_padding", &SetPadding, py::arg("lengths"), py::arg("truncate"),
           py::arg("value"))
      .def(
          "set_shape",
          [](Feature& feature, std::vector<int64_t> shape) {
            feature.shape = std::move(shape);
          },
          py::arg("shape"));
}

// Paths, snapshot_dir and where partitions are from.
using GrowthTuple = std::tuple<std::vector<std::string>, std::string, RuleTuple>;

StreamOptions MakeStreamOptions(const Catalog& catalog, std::vector<Feature> features,
                                OrderOptions order, DeliveryOptions delivery,
                                std::optional<int64_t> num_epochs,
                                std::optional<int64_t> pinned_epoch, int num_threads,
                                int64_t memory_budget_bytes, const py::bytes& filter,
                                std::string cache_dir, bool verify_checksums,
                                bool use_statistics,
                                std::optional<GrowthTuple> growth) {
  StreamOptions options;
  options.features = std::move(features);
  options.order = order;
  options.delivery = delivery;
  options.num_epochs = num_epochs.value_or(StreamOptions::kEndless);
  options.pinned_epoch = pinned_epoch;
  options.num_threads = num_threads;
  options.memory_budget_bytes = memory_budget_bytes;
  options.filter = static_cast<std::string>(filter);
  options.cache_dir = std::move(cache_dir);
  options.verify_checksums = verify_checksums;
  options.partition_types = catalog.partition_types();
  options.use_statistics = use_statistics;
  if (growth) {
    auto& [paths, snapshot_dir, rule] = *growth;
    options.growth =
        GrowthOptions{std::move(paths), std::move(snapshot_dir), ParseRule(rule)};
  }
  return options;
}

using CatalogList = std::vector<std::shared_ptr<Catalog>>;  // pybind11 has no const

Catalogs CatalogsOf(const CatalogList& catalogs) {
  return {catalogs.begin(), catalogs.end()};
}

// In the order of the enumerators.
constexpr std::array kStopRules = {"first_exhausted", "all_exhausted", "endless"};

// A mixture of `sources`, in all else like the first of them; batches share arenas as
// those with the largest rows do.
StreamOptions Mix(
    const std::vector<StreamOptions>& sources, std::string_view stop,
    const std::vector<std::pair<int64_t, std::vector<int64_t>>>& weights) {
  auto mixture = std::make_shared<MixtureOptions>();
  mixture->sources = sources;
  for (size_t i = 0; i < kStopRules.size(); ++i) {
    if (stop == kStopRules[i]) mixture->stop = static_cast<StopRule>(i);
  }
  for (const auto& [first_epoch, rounds] : weights) {
    mixture->weights.push_back({first_epoch, rounds});
  }
  StreamOptions options = sources.at(0);
  for (const StreamOptions& source : sources) {
    options.max_batches_per_arena =
        std::min(options.max_batches_per_arena, source.max_batches_per_arena);
  }
  options.mixture = std::move(mixture);
  return options;
}

Result<int64_t> RowsOfEpoch(const StreamOptions& options,
                            const std::vector<int64_t>& source_rows, int64_t epoch) {
  return NumRowsIn(options, source_rows, epoch);
}

std::optional<int64_t> NumEpochs(const StreamOptions& options) {
  if (options.num_epochs == StreamOptions::kEndless) return std::nullopt;
  return options.num_epochs;
}

Result<StreamOptions> Parse(const py::bytes& data) {
  return StreamOptions::Parse(static_cast<std::string_view>(data));
}

py::bytes Serialize(const StreamOptions& options) { return options.Serialize(); }

void RegisterStream(py::module_& module) {
  py::class_<StreamOptions>(module, "StreamOptions")
      .def(py::init(&MakeStreamOptions), py::kw_only(), py::arg("catalog"),
           py::arg("features"), py::arg("order"), py::arg("delivery"),
           py::arg("num_epochs"), py::arg("pinned_epoch"), py::arg("num_threads"),
           py::arg("memory_budget_bytes"), py::arg("filter"), py::arg("cache_dir"),
           py::arg("verify_checksums"), py::arg("use_statistics"), py::arg("growth"))
      .def_static("parse", &Parse, py::arg("data"))
      .def("serialize", &Serialize)
      .def(py::pickle(&Serialize,
                      [](const py::bytes& data) {
                        Result<StreamOptions> options = Parse(data);
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
      .def_property_readonly("num_epochs", &NumEpochs)
      .def_readonly("pinned_epoch", &StreamOptions::pinned_epoch)
      .def_readonly("num_threads", &StreamOptions::num_threads)
      .def_readwrite("memory_budget_bytes", &StreamOptions::memory_budget_bytes)
      .def_readwrite("max_batches_per_arena", &StreamOptions::max_batches_per_arena);
}

}  // namespace

void RegisterOptions(py::module_& module) {
  RegisterOrder(module);
  RegisterDelivery(module);
  RegisterFeature(module);
  RegisterStream(module);
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
