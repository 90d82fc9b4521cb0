// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/catalog.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/catalog/growth.h"
#include "core/glob.h"
#include "core/io/file_systems.h"
#include "core/io/uri.h"
#include "python/field_casters.h"
#include "python/gil.h"
#include "python/interruption.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

// Removes const, because pybind11 holds no pointers to const. No bound function changes
// a catalog.
Result<std::shared_ptr<Catalog>> Mutable(
    Result<std::shared_ptr<const Catalog>> catalog) {
  if (!catalog.ok()) return catalog.status();
  return std::const_pointer_cast<Catalog>(*std::move(catalog));
}

using OpenPaths = std::function<Result<std::shared_ptr<const Catalog>>(
    const Cancelled& cancelled, Notices* notices)>;

// What `open` tells of likely mistakes: sentences, and columns that it leaves out.
using PyNotices = std::tuple<py::list, py::dict>;

// Opens a catalog without the GIL. `notices`, unless it is None, gets what Notices has.
Result<std::shared_ptr<Catalog>> OpenUnlocked(const std::optional<PyNotices>& notices,
                                              const OpenPaths& open) {
  Interruption interruption;
  Notices found;
  Result<std::shared_ptr<const Catalog>> catalog = [&] {
    const GilReleased unlocked;
    return open([&] { return interruption.Asked(); }, notices ? &found : nullptr);
  }();
  interruption.Raise();
  if (notices) {
    auto [sentences, left_out] = *notices;
    for (const std::string& said : found.sentences) {
      sentences.append(MessageString(said));
    }
    for (const auto& [name, path] : found.left_out) {
      left_out[MessageString(name)] = MessageString(path);
    }
  }
  return Mutable(std::move(catalog));
}

Result<std::shared_ptr<Catalog>> Open(
    const std::vector<std::string>& paths,
    const std::optional<std::vector<std::string>>& columns, int num_threads,
    const std::optional<PyNotices>& notices, const PartitionRule& rule) {
  return OpenUnlocked(notices, [&](const Cancelled& cancelled, Notices* found) {
    return Catalog::Open(paths, columns, num_threads, cancelled, found, rule);
  });
}

Result<std::shared_ptr<Catalog>> OpenGrowing(
    const std::vector<std::string>& paths,
    const std::optional<std::vector<std::string>>& columns, int num_threads,
    const std::optional<PyNotices>& notices, const PartitionRule& rule) {
  return OpenUnlocked(notices, [&](const Cancelled& cancelled, Notices* found) {
    return Growth(paths, columns, num_threads, rule).List(nullptr, cancelled, found);
  });
}

Result<std::shared_ptr<Catalog>> ParseCatalog(const py::bytes& data) {
  const auto view = static_cast<std::string_view>(data);
  const GilReleased unlocked;
  return Mutable(Catalog::Parse(view));
}

py::bytes SerializeCatalog(const Catalog& catalog) {
  std::string bytes;
  {
    const GilReleased unlocked;
    bytes = catalog.Serialize();
  }
  return bytes;
}

// Returns a path as os.fsdecode does, which makes a str of any bytes.
py::str PathString(const std::string& path) {
  return py::reinterpret_steal<py::str>(PyUnicode_DecodeFSDefaultAndSize(
      path.data(), static_cast<Py_ssize_t>(path.size())));
}

py::list Files(const Catalog& catalog) {
  std::vector<int64_t> rows(catalog.files().size());
  for (const RowGroup& group : catalog.row_groups()) rows[group.file] += group.rows;
  py::list files;
  for (size_t i = 0; i < rows.size(); ++i) {
    const CatalogFile& file = catalog.files()[i];
    files.append(py::make_tuple(PathString(file.path), PathString(file.name), file.size,
                                rows[i]));
  }
  return files;
}

py::list Partitions(const Catalog& catalog) {
  py::list partitions;
  for (const CatalogFile& file : catalog.files()) {
    partitions.append(py::bytes(file.partitions));
  }
  return partitions;
}

// Returns the catalog with partition columns read as the dtypes that name them say.
Result<std::shared_ptr<Catalog>> WithPartitionDTypes(
    const std::shared_ptr<Catalog>& catalog,
    const std::map<std::string, DType>& dtypes) {
  PartitionTypes types;
  for (const auto& [name, dtype] : dtypes) types[name] = {dtype, true};
  return Mutable(Catalog::WithPartitionTypes(catalog, types));
}

// Returns where files differ from the catalog in a column: the index of the file, that
// of the column, and whether all its rows are null there.
py::list Differences(const Catalog& catalog) {
  py::list differences;
  for (size_t file = 0; file < catalog.files().size(); ++file) {
    for (const Difference& difference : catalog.layout(file).differences) {
      differences.append(py::make_tuple(file, difference.column, difference.is_null()));
    }
  }
  return differences;
}

// Returns for each column with nulls: its index, the number of row groups that have
// them, and the first of these.
py::list NullGroupsOf(const Catalog& catalog) {
  py::list found;
  const std::vector<NullGroups> groups = catalog.null_groups();
  for (size_t column = 0; column < groups.size(); ++column) {
    if (groups[column].count == 0) continue;
    found.append(py::make_tuple(column, groups[column].count, groups[column].first));
  }
  return found;
}

py::list RowGroups(const Catalog& catalog) {
  py::list groups;
  for (const RowGroup& group : catalog.row_groups()) {
    groups.append(py::make_tuple(group.file, group.index, group.rows));
  }
  return groups;
}

py::array_t<int64_t> GroupRows(const Catalog& catalog) {
  const std::vector<int64_t>& rows = *catalog.group_rows();
  return py::array_t<int64_t>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

py::array_t<uint64_t> FooterDigests(const Catalog& catalog) {
  py::array_t<uint64_t> digests(static_cast<py::ssize_t>(catalog.files().size()));
  uint64_t* out = digests.mutable_data();
  for (const CatalogFile& file : catalog.files()) *out++ = file.footer_digest;
  return digests;
}

void RegisterColumn(py::module_& module) {
  py::class_<Column>(module, "Column")
      .def_readonly("name", &Column::name)
      .def_readonly("path", &Column::path)
      .def_readonly("logical_type", &Column::logical_type)
      .def_readonly("unsupported", &Column::unsupported)
      .def_readonly("is_added_index", &Column::is_added_index)
      .def_readonly("is_partition", &Column::is_partition)
      .def_readonly("dtype", &Column::dtype)
      .def_readonly("ragged_rank", &Column::ragged_rank)
      .def_readonly("dense_shape", &Column::dense_shape)
      .def_readonly("unit", &Column::unit);
}

}  // namespace

void RegisterCatalog(py::module_& module) {
  RegisterColumn(module);
  module.def("has_client", &HasClient, py::arg("path"));
  module.def("match_pattern", &MatchGlob, py::arg("pattern"), py::arg("name"));
  module.def(
      "without_secrets",
      [](const std::string& path) -> Result<py::bytes> {
        ROWFEED_ASSIGN_OR_RETURN(const std::string kept, WithoutSecrets(path));
        return py::bytes(kept);
      },
      py::arg("path"));
  py::class_<Catalog, std::shared_ptr<Catalog>>(
      module, "Catalog", py::release_gil_before_calling_cpp_dtor())
      .def_static("open", &Open, py::arg("paths"), py::arg("columns"),
                  py::arg("num_threads"), py::arg("notices") = py::none(),
                  py::arg("partitions") = PartitionRule())
      .def_static("open_growing", &OpenGrowing, py::arg("paths"), py::arg("columns"),
                  py::arg("num_threads"), py::arg("notices") = py::none(),
                  py::arg("partitions") = PartitionRule())
      .def_static("parse", &ParseCatalog, py::arg("data"))
      .def("serialize", &SerializeCatalog)
      .def_property_readonly("partition_types", &Catalog::partition_types)
      .def(
          "select",
          [](std::shared_ptr<Catalog> catalog, std::vector<int64_t> row_groups) {
            return Mutable(Catalog::Select(std::move(catalog), std::move(row_groups)));
          },
          py::arg("row_groups"))
      .def(
          "project",
          [](std::shared_ptr<Catalog> catalog, const std::vector<std::string>& names) {
            return Mutable(Catalog::Project(std::move(catalog), names));
          },
          py::arg("names"))
      .def("check_files_are_in", &Catalog::CheckFilesAreIn,
           py::call_guard<py::gil_scoped_release>(), py::arg("paths"))
      .def("with_partition_dtypes", &WithPartitionDTypes, py::arg("dtypes"))
      .def(py::pickle(&SerializeCatalog,
                      [](const py::bytes& data) {
                        Result<std::shared_ptr<Catalog>> catalog = ParseCatalog(data);
                        if (!catalog.ok()) RaiseStatus(catalog.status());
                        return *std::move(catalog);
                      }))
      .def_property_readonly("files", &Files)
      .def_property_readonly("is_selection", &Catalog::is_selection)
      .def_property_readonly("partitions", &Partitions)
      .def_property_readonly("footer_digests", &FooterDigests)
      .def_property_readonly("differences", &Differences)
      .def_property_readonly("null_groups", &NullGroupsOf)
      .def_property_readonly("row_groups", &RowGroups)
      .def_property_readonly("group_rows", &GroupRows)
      .def_property_readonly("num_rows", &Catalog::num_rows)
      .def_property_readonly("columns", &Catalog::columns)
      .def_property_readonly("fingerprint", &Catalog::fingerprint);
}

}  // namespace rowfeed
