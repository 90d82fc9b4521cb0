// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/dataset_rows.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/filter/bounds/footer_trust.h"
#include "core/filter/expression/filter_columns.h"
#include "python/gil.h"
#include "python/interruption.h"
#include "python/lying_files.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

std::shared_ptr<DatasetRows> MakeRows(std::shared_ptr<Catalog> catalog,
                                      const StreamOptions& options) {
  return std::make_shared<DatasetRows>(std::move(catalog), options);
}

// Makes the rows of a filter without a dataset, whose constructor would have checked
// the options.
Result<std::shared_ptr<DatasetRows>> Filtered(std::shared_ptr<Catalog> catalog,
                                              const py::bytes& filter,
                                              int64_t block_rows, int num_threads,
                                              std::string cache_dir,
                                              bool verify_checksums,
                                              bool use_statistics) {
  StreamOptions options;
  options.filter = static_cast<std::string>(filter);
  options.order.block_rows = block_rows;
  options.num_threads = num_threads;
  options.cache_dir = std::move(cache_dir);
  options.verify_checksums = verify_checksums;
  options.use_statistics = use_statistics;
  ROWFEED_RETURN_NOT_OK(options.order.Validate());
  return std::make_shared<DatasetRows>(std::move(catalog), options);
}

std::shared_ptr<Catalog> CatalogOf(const DatasetRows& rows) {
  // Python has no constant objects, and nothing that it can call changes a catalog.
  return std::const_pointer_cast<Catalog>(rows.catalog());
}

Result<int64_t> NumRows(DatasetRows& rows, Interruption::IsAbandoned is_abandoned) {
  Interruption interruption(std::move(is_abandoned));
  Result<int64_t> num_rows = [&] {
    const GilReleased unlocked;
    return rows.NumRows([&] { return interruption.Asked(); });
  }();
  interruption.Raise();
  WarnOfLyingFiles(rows);
  return num_rows;
}

Result<py::bytes> CountShare(DatasetRows& rows, int64_t index, int64_t num_shares) {
  if (index < 0 || index >= num_shares) {
    return Status::Invalid("there is no share ", index, " of ", num_shares);
  }
  Interruption interruption;
  Result<std::string> share = [&] {
    const GilReleased unlocked;
    return rows.CountShare({index, num_shares}, [&] { return interruption.Asked(); });
  }();
  interruption.Raise();
  WarnOfLyingFiles(rows);
  if (!share.ok()) return share.status();
  return py::bytes(*share);
}

Result<std::vector<std::string>> ColumnsOf(const py::bytes& filter) {
  return FilterColumns(static_cast<std::string_view>(filter));
}

Result<std::vector<std::string>> FunctionsOf(const py::bytes& filter) {
  return FilterFunctions(static_cast<std::string_view>(filter));
}

Result<std::vector<std::vector<std::pair<bool, bool>>>> TrustOf(
    const py::bytes& footer, const std::vector<int>& leaves) {
  ROWFEED_ASSIGN_OR_RETURN(
      const auto trusts, TrustOfFooter(static_cast<std::string_view>(footer), leaves));
  std::vector<std::vector<std::pair<bool, bool>>> found;
  for (const auto& group : trusts) {
    auto& pairs = found.emplace_back();
    for (const ChunkTrust& trust : group) {
      pairs.emplace_back(trust.null_count, trust.bounds);
    }
  }
  return found;
}

}  // namespace

void RegisterDatasetRows(py::module_& module) {
  py::class_<DatasetRows, std::shared_ptr<DatasetRows>>(module, "DatasetRows")
      .def(py::init(&MakeRows), py::arg("catalog"), py::arg("options"))
      .def_static("filtered", &Filtered, py::arg("catalog"), py::kw_only(),
                  py::arg("filter"), py::arg("block_rows"), py::arg("num_threads"),
                  py::arg("cache_dir"), py::arg("verify_checksums"),
                  py::arg("use_statistics"))
      .def_property_readonly("catalog", &CatalogOf)
      .def_property_readonly("is_known", &DatasetRows::is_known)
      .def_property_readonly("max_rows", &DatasetRows::MaxRows)
      .def("num_rows", &NumRows, py::arg("is_abandoned") = py::none())
      .def("save", [](const DatasetRows& rows) { return py::bytes(rows.Save()); })
      .def(
          "load",
          [](DatasetRows& rows, const py::bytes& saved) {
            return rows.Load(static_cast<std::string_view>(saved));
          },
          py::arg("saved"))
      .def("count_share", &CountShare, py::arg("index"), py::arg("num_shares"))
      .def("join", &DatasetRows::Join, py::arg("shares"));
  module.def("trust_of_footer", &TrustOf, py::arg("footer"), py::arg("leaves"));
  module.def("filter_columns", &ColumnsOf, py::arg("filter"));
  module.def("filter_functions", &FunctionsOf, py::arg("filter"));
  module.def(
      "filter_digest",
      [](const py::bytes& filter) {
        return FilterDigest(static_cast<std::string_view>(filter));
      },
      py::arg("filter"));
}

}  // namespace rowfeed
