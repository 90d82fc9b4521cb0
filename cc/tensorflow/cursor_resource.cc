// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/cursor_resource.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/catalog/growth.h"
#include "core/filter/expression/filter_columns.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/stream_defaults.h"
#include "core/stream/options/validate_stream.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/lying_files.h"
#include "tensorflow/tf_status.h"
#include "tsl/profiler/lib/traceme.h"

namespace rowfeed::tfdata {
namespace {

// Shows tasks in traces of TensorFlow's profiler. It does nothing while that is off.
constexpr TaskSpans kTaskSpans = {
    [](const char* name) { return tsl::profiler::TraceMe::ActivityStart(name); },
    [](int64_t begun) { tsl::profiler::TraceMe::ActivityEnd(begun); }};

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
  return std::make_shared<Cursor>(std::move(sources), first_epoch, options.num_threads,
                                  budget, std::move(snapshots), kTaskSpans);
}

absl::Status CursorResource::FindOrMake(
    tensorflow::ResourceMgr* resources, const std::string& name,
    tensorflow::core::RefCountPtr<CursorResource>* result) {
  CursorResource* resource = nullptr;
  const absl::Status status = resources->LookupOrCreate<CursorResource>(
      resources->default_container(), name, &resource, [](CursorResource** made) {
        *made = new CursorResource;
        return absl::OkStatus();
      });
  result->reset(resource);
  return status;
}

void CursorResource::Give(std::shared_ptr<Cursor> cursor) {
  const std::lock_guard<std::mutex> lock(mutex_);
  cursor_ = std::move(cursor);
}

bool CursorResource::has_cursor() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return cursor_ != nullptr;
}

absl::Status CursorResource::Open(const std::vector<Source>& sources,
                                  const StreamOptions& options, int64_t first_epoch,
                                  std::shared_ptr<Cursor>* cursor) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!cursor_) {
    SourceRows rows;
    for (size_t i = 0; i < sources.size(); ++i) {
      std::shared_ptr<const Catalog> catalog;
      TF_RETURN_IF_ERROR(
          OpenCatalog(sources[i], options.source(i), options.num_threads, &catalog));
      rows.push_back(
          std::make_shared<DatasetRows>(std::move(catalog), options.source(i)));
    }
    ROWFEED_TF_RETURN_NOT_OK(ValidateStream(options, CatalogsOf(rows)));
    cursor_ = MakeCursor(std::move(rows), options, first_epoch);
  }
  *cursor = cursor_;
  return absl::OkStatus();
}

void CursorResource::Begin(std::shared_ptr<BatchStream> iteration) {
  const std::lock_guard<std::mutex> lock(mutex_);
  latest_.swap(iteration);
}

Progress CursorResource::Latest() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return latest_ ? latest_->progress() : cursor_->Peek();
}

std::string CursorResource::FingerprintOf(int64_t epoch) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return cursor_->FingerprintOf(epoch);
}

Result<Progress> CursorResource::BeginNext() {
  std::shared_ptr<Cursor> cursor;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    cursor = cursor_;
  }
  const Progress next = cursor->Peek();
  ROWFEED_ASSIGN_OR_RETURN(const SourceRows sources, cursor->BeginAhead(next.epoch));
  LogLyingFiles(sources);
  return next;
}

Status CursorResource::Resume(int64_t epoch, const std::string& fingerprint) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Rows whose files are gone become fill. Python has checked that they may.
  return cursor_->Resume(epoch, fingerprint, /*may_be_gone=*/true);
}

Result<std::vector<std::string>> CursorResource::CountRows() {
  SourceRows sources;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    sources = cursor_->sources();
  }
  std::vector<std::string> saved;
  for (const std::shared_ptr<DatasetRows>& rows : sources) {
    ROWFEED_RETURN_NOT_OK(rows->NumRows().status());
    saved.push_back(rows->Save());
  }
  LogLyingFiles(sources);
  return saved;
}

Status CursorResource::LoadRows(const std::vector<std::string_view>& survivors) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const SourceRows& sources = cursor_->sources();
  if (survivors.size() != sources.size()) {
    return Status::Invalid(survivors.size(), " survivors of ", sources.size(),
                           " sources");
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    ROWFEED_RETURN_NOT_OK(sources[i]->Load(survivors[i]));
  }
  return {};
}

Stats CursorResource::stats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return cursor_->stats();
}

void CursorResource::Move(const Progress& progress) {
  const std::lock_guard<std::mutex> lock(mutex_);
  cursor_->Move(progress);
  latest_.reset();
}

int64_t CursorResource::RestoredNextEpoch(const std::weak_ptr<void>& pipeline,
                                          int64_t next_epoch) {
  std::shared_ptr<BatchStream> replaced;  // destroyed after the mutex is released
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!restored_.IsCurrent(pipeline)) latest_.swap(replaced);
  return restored_.Add(pipeline, next_epoch);
}

}  // namespace rowfeed::tfdata
