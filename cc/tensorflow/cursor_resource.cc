// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/cursor_resource.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/build_id.h"
#include "core/catalog/growth.h"
#include "core/filter/expression/filter_columns.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/epochs/snapshots.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/stream_defaults.h"
#include "core/stream/options/validate_stream.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/tf_status.h"
#include "tsl/profiler/lib/traceme.h"

namespace rowfeed::tfdata {
namespace {

// Shows tasks in traces of TensorFlow's profiler. It does nothing while that is off.
constexpr TaskSpans kTaskSpans = {
    [](const char* name) { return tsl::profiler::TraceMe::ActivityStart(name); },
    [](int64_t begun) { tsl::profiler::TraceMe::ActivityEnd(begun); }};

// Returns the catalog of the row groups that the graph names. Those that the files no
// longer have are left out, so that the fingerprint differs.
Result<std::shared_ptr<const Catalog>> SelectedOf(
    const CursorResource::Source& source, std::shared_ptr<const Catalog> catalog) {
  if (source.selected.empty()) return catalog;
  const std::set<std::pair<int64_t, int64_t>> wanted(source.selected.begin(),
                                                     source.selected.end());
  std::vector<int64_t> row_groups;
  for (size_t i = 0; i < catalog->row_groups().size(); ++i) {
    const RowGroup& group = catalog->row_groups()[i];
    if (wanted.count({group.file, group.index}) > 0) {
      row_groups.push_back(static_cast<int64_t>(i));
    }
  }
  return Catalog::Select(std::move(catalog), std::move(row_groups));
}

absl::Status OpenCatalog(const CursorResource::Source& source,
                         const StreamOptions& options, int num_threads,
                         std::shared_ptr<const Catalog>* catalog) {
  std::vector<std::string> columns;
  columns.reserve(options.columns.size());
  for (const ColumnSpec& spec : options.columns) {
    if (!spec.provenance) columns.push_back(spec.column);
  }
  if (!options.filter.empty()) {
    ROWFEED_TF_ASSIGN_OR_RETURN(const std::vector<std::string> filtered,
                                FilterColumns(options.filter));
    columns.insert(columns.end(), filtered.begin(), filtered.end());
  }
  if (options.growth) {
    Growth growth(options.growth->paths, columns, num_threads, options.growth->rule);
    ROWFEED_TF_ASSIGN_OR_RETURN(*catalog, growth.List(nullptr));
  } else {
    ROWFEED_TF_ASSIGN_OR_RETURN(*catalog,
                                Catalog::Reopen(source.files, columns, num_threads));
    ROWFEED_TF_ASSIGN_OR_RETURN(*catalog, SelectedOf(source, *catalog));
  }
  ROWFEED_TF_ASSIGN_OR_RETURN(
      *catalog, Catalog::WithPartitionTypes(*catalog, options.partition_types));
  if (options.growth) return absl::OkStatus();
  if ((*catalog)->fingerprint() != source.fingerprint) {
    return absl::FailedPreconditionError(
        absl::StrCat("The data is not that of the graph: ", source.files[0].path,
                     " and ", source.files.size() - 1, " more files have fingerprint ",
                     (*catalog)->fingerprint(), ", the graph ", source.fingerprint));
  }
  return absl::OkStatus();
}

}  // namespace

std::shared_ptr<Cursor> MakeCursor(SourceRows sources, const StreamOptions& options,
                                   int64_t first_epoch) {
  const int64_t budget = options.memory_budget_bytes > 0
                             ? options.memory_budget_bytes
                             : DefaultMemoryBudget(CatalogsOf(sources), options);
  std::shared_ptr<Snapshots> snapshots;
  if (options.growth) snapshots = std::make_shared<Snapshots>(sources[0], options);
  auto cursor =
      std::make_shared<Cursor>(std::move(sources), first_epoch, options.num_threads,
                               budget, std::move(snapshots));
  cursor->SetTaskSpans(kTaskSpans);
  return cursor;
}

absl::Status CursorResource::FindOrMake(
    tensorflow::ResourceMgr* resources, const std::string& name,
    tensorflow::core::RefCountPtr<CursorResource>* result) {
  if (std::string_view(LibraryBuildId()) != ROWFEED_BUILD_ID) {
    return absl::FailedPreconditionError(
        absl::StrCat("rowfeed's op library belongs to the build " ROWFEED_BUILD_ID
                     " of the kernel library, not to ",
                     LibraryBuildId()));
  }
  CursorResource* resource = nullptr;
  const absl::Status status = resources->LookupOrCreate<CursorResource>(
      resources->default_container(), name, &resource, [](CursorResource** made) {
        *made = new CursorResource;
        return absl::OkStatus();
      });
  result->reset(resource);
  return status;
}

void CursorResource::Give(std::shared_ptr<DatasetPlace> place) {
  place->cursor()->SetTaskSpans(kTaskSpans);
  const std::lock_guard<std::mutex> lock(mutex_);
  place_ = std::move(place);
}

bool CursorResource::has_place() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return place_ != nullptr;
}

absl::Status CursorResource::Open(const std::vector<Source>& sources,
                                  const StreamOptions& options, int64_t first_epoch,
                                  std::shared_ptr<DatasetPlace>* place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!place_) {
    SourceRows rows;
    for (size_t i = 0; i < sources.size(); ++i) {
      std::shared_ptr<const Catalog> catalog;
      TF_RETURN_IF_ERROR(
          OpenCatalog(sources[i], options.source(i), options.num_threads, &catalog));
      rows.push_back(
          std::make_shared<DatasetRows>(std::move(catalog), options.source(i)));
    }
    ROWFEED_TF_RETURN_NOT_OK(ValidateStream(options, CatalogsOf(rows)));
    place_ = std::make_shared<DatasetPlace>(
        MakeCursor(std::move(rows), options, first_epoch));
  }
  *place = place_;
  return absl::OkStatus();
}

}  // namespace rowfeed::tfdata
