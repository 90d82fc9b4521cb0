// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/snapshots.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "core/catalog/growth.h"
#include "core/io/file_system.h"
#include "core/io/replace_file.h"
#include "core/io/uri.h"
#include "core/owned_mutex.h"
#include "core/stream/options/validate_source.h"
#include "core/try_each.h"
#include "core/wire.h"

namespace rowfeed {
namespace {

// The number of epochs whose catalogs stay in memory. Catalogs are large, so only the
// fingerprints of earlier epochs are kept.
constexpr size_t kRecentEpochs = 4;

// How often the data is listed for one epoch, if files vanish while rows are counted.
constexpr int kMostListings = 8;

// The limit for the size of a snapshot. A catalog of a million files has some hundred
// bytes for each of them.
constexpr int64_t kMostCatalogBytes = int64_t{4} << 30;

// Makes a snapshot look new. Writers delete files that only old snapshots name.
void Renew(const std::string& path) {
  std::error_code ignored;
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(),
                                   ignored);
}

std::vector<std::string> ColumnNames(const Catalog& catalog) {
  std::vector<std::string> names;
  names.reserve(catalog.columns().size());
  for (const Column& column : catalog.columns()) names.push_back(column.name);
  return names;
}

// Returns kNotFound, with the path, if a file is gone or has been replaced.
Status CheckFile(const CatalogFile& file) {
  const std::string path = ShownPath(file.path);
  const auto opened = OpenFile(file.path);
  if (opened.ok()) {
    const Status same = CheckVersion(path, file.version(), (*opened)->version());
    return same.ok() ? same : Status(StatusCode::kNotFound, same.message());
  }
  if (opened.status().code() != StatusCode::kNotFound) return opened.status();
  return Status(StatusCode::kNotFound, path + " is gone");
}

Status CheckFiles(const std::vector<CatalogFile>& files, int num_threads) {
  return TryEach(files.size(), num_threads,
                 [&](size_t i) { return CheckFile(files[i]); });
}

// Whether a text of any origin can be part of a snapshot's name.
bool IsFingerprint(std::string_view text) {
  return text.size() == 32 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool Holds(const std::string& path, const std::string& bytes) {
  const Result<std::string> there = ReadWholeFile(path, std::ssize(bytes));
  return there.ok() && *there == bytes;
}

}  // namespace

// What is known of the epochs. It never changes once other threads can see it.
struct Snapshots::Epochs {
  std::map<int64_t, std::string> fingerprints;
  std::deque<std::pair<int64_t, std::shared_ptr<DatasetRows>>> recent;

  std::shared_ptr<DatasetRows> Find(int64_t epoch) const {
    for (const auto& [known, rows] : recent) {
      if (known == epoch) return rows;
    }
    return nullptr;
  }
};

struct Snapshots::Local {
  Local(const StreamOptions& options, Epochs known)
      : growth(options.growth->paths, std::nullopt, options.num_threads,
               options.growth->rule),
        epochs(new Epochs(std::move(known))) {}
  ~Local() { delete epochs.load(); }
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;

  std::shared_ptr<const Epochs> Get() {
    const std::lock_guard lock(mutex);
    return std::make_shared<const Epochs>(*epochs.load());
  }

  // Refuses a call from a signal handler that has interrupted a listing on this thread.
  Status CheckNotListing() const {
    if (!listing.is_mine()) return {};
    return Status::Invalid(
        "a signal handler was called while the data was listed: it cannot begin or "
        "load an epoch of it");
  }

  OwnedMutex listing;  // held while the data is listed
  Growth growth;       // guarded by `listing`
  std::mutex mutex;    // held to replace `epochs`, and to read it
  std::atomic<const Epochs*> epochs;
};

Snapshots::Snapshots(std::shared_ptr<DatasetRows> first, const StreamOptions& options)
    : first_(std::move(first)),
      options_(options),
      local_(std::make_unique<Local>(options, Epochs{})) {}

Snapshots::~Snapshots() = default;

Snapshots::Local& Snapshots::local() const {
  return local_.Get([this](const Local& parents) {
    return std::make_unique<Local>(options_, *parents.epochs.load());
  });
}

Result<std::shared_ptr<DatasetRows>> Snapshots::Begin(int64_t epoch,
                                                      const Cancelled& cancelled) {
  Local& local = this->local();
  ROWFEED_RETURN_NOT_OK(local.CheckNotListing());
  const std::lock_guard listing(local.listing);
  const auto known = local.Get();
  if (auto rows = known->Find(epoch)) return rows;
  if (const auto found = known->fingerprints.find(epoch);
      found != known->fingerprints.end()) {
    ROWFEED_ASSIGN_OR_RETURN(auto catalog, Read(epoch, found->second));
    return Know(&local, epoch, RowsOf(*known, catalog));
  }
  const DatasetRows& latest =
      known->recent.empty() ? *first_ : *known->recent.back().second;
  // The rows are counted before the listing becomes the epoch's. If a file vanishes
  // meanwhile, the data is listed once more.
  std::shared_ptr<const Catalog> listed = latest.catalog();
  Status counted;
  for (int i = 0; i < kMostListings; ++i) {
    ROWFEED_ASSIGN_OR_RETURN(auto catalog, local.growth.List(listed, cancelled));
    if (!counted.ok() && catalog == listed) return counted;
    ROWFEED_RETURN_NOT_OK(ValidateSource(options_, *catalog));
    auto rows = RowsOf(*known, catalog);
    counted = rows->NumRows(cancelled).status();
    if (counted.ok()) return Settle(&local, epoch, std::move(rows));
    if (!IsLost(counted)) return counted;
    listed = std::move(catalog);
  }
  return counted;
}

Result<std::shared_ptr<DatasetRows>> Snapshots::BeginIteration(
    int64_t epoch, const Cancelled& cancelled) {
  if (shared() && FingerprintOf(epoch).empty()) {
    return Status::Invalid("epoch ", epoch,
                           " has not begun: ", options_.delivery.world_size,
                           " ranks share one listing of data that grows; call "
                           "begin_epoch() on all of them before each epoch");
  }
  return Begin(epoch, cancelled);
}

Result<std::shared_ptr<DatasetRows>> Snapshots::Settle(
    Local* local, int64_t epoch, std::shared_ptr<DatasetRows> rows) {
  ROWFEED_RETURN_NOT_OK(Keep(*local->Get(), epoch, *rows->catalog()));
  return Know(local, epoch, std::move(rows));
}

std::shared_ptr<DatasetRows> Snapshots::RowsOf(
    const Epochs& known, const std::shared_ptr<const Catalog>& catalog) const {
  std::shared_ptr<DatasetRows> rows = first_->catalog() == catalog ? first_ : nullptr;
  for (const auto& [_, other] : known.recent) {
    if (other->catalog() == catalog) rows = other;
  }
  return rows ? rows : std::make_shared<DatasetRows>(catalog, options_);
}

std::shared_ptr<DatasetRows> Snapshots::Know(Local* local, int64_t epoch,
                                             std::shared_ptr<DatasetRows> rows) {
  const std::lock_guard lock(local->mutex);
  const Epochs* before = local->epochs.load();
  auto* after = new Epochs(*before);
  after->fingerprints[epoch] = rows->catalog()->fingerprint();
  const auto is_it = [epoch](const auto& known) { return known.first == epoch; };
  after->recent.erase(std::remove_if(after->recent.begin(), after->recent.end(), is_it),
                      after->recent.end());
  after->recent.emplace_back(epoch, rows);
  if (after->recent.size() > kRecentEpochs) after->recent.pop_front();
  local->epochs = after;
  delete before;
  return rows;
}

Status Snapshots::Keep(const Epochs& known, int64_t epoch,
                       const Catalog& catalog) const {
  const std::string path = PathOf(epoch, catalog.fingerprint());
  const std::string bytes = catalog.Serialize();
  // A file of an earlier run may name other versions of the same bytes.
  if (Holds(path, bytes)) {
    Renew(path);
    return {};
  }
  for (const auto& [before, rows] : known.recent) {
    if (rows->catalog().get() != &catalog) continue;
    const std::string kept = PathOf(before, catalog.fingerprint());
    if (Holds(kept, bytes) && LinkFile(kept, path).ok()) return {};
  }
  return ReplaceFile(path, bytes);
}

std::string Snapshots::FingerprintOf(int64_t epoch) const {
  const auto known = local().Get();
  const auto found = known->fingerprints.find(epoch);
  return found == known->fingerprints.end() ? std::string() : found->second;
}

Result<std::string> Snapshots::Save(int64_t epoch) const {
  const auto rows = local().Get()->Find(epoch);
  if (!rows) {
    return Status(StatusCode::kNotFound,
                  "epoch " + std::to_string(epoch) + " has not begun");
  }
  WireWriter listing;
  listing.String(rows->catalog()->Serialize());
  listing.String(rows->Save());
  return std::move(listing).Finish();
}

std::string Snapshots::SaveCounts(int64_t epoch) const {
  const auto rows = local().Get()->Find(epoch);
  return rows ? rows->Save() : std::string();
}

Status Snapshots::Load(int64_t epoch, std::string_view saved) {
  WireReader reader(saved);
  const std::string catalog = reader.String();
  const std::string survivors = reader.String();
  if (!reader.AtEnd()) return Status::Invalid("these bytes are not an epoch's listing");
  ROWFEED_ASSIGN_OR_RETURN(const auto parsed, Catalog::Parse(catalog));
  Local& local = this->local();
  ROWFEED_RETURN_NOT_OK(local.CheckNotListing());
  const std::lock_guard listing(local.listing);
  ROWFEED_RETURN_NOT_OK(ValidateSource(options_, *parsed));
  auto rows = RowsOf(*local.Get(), parsed);
  ROWFEED_RETURN_NOT_OK(rows->Load(survivors));
  return Settle(&local, epoch, std::move(rows)).status();
}

Status Snapshots::Resume(int64_t epoch, const std::string& fingerprint,
                         bool may_be_gone, std::string_view counts) {
  if (!IsFingerprint(fingerprint)) {
    return Status::Invalid("the fingerprint of an epoch must be 32 hexadecimal digits");
  }
  Local& local = this->local();
  ROWFEED_RETURN_NOT_OK(local.CheckNotListing());
  const std::lock_guard listing(local.listing);
  ROWFEED_ASSIGN_OR_RETURN(auto catalog, Read(epoch, fingerprint));
  if (!may_be_gone)
    ROWFEED_RETURN_NOT_OK(CheckFiles(catalog->files(), options_.num_threads));
  auto rows = RowsOf(*local.Get(), catalog);
  ROWFEED_RETURN_NOT_OK(rows->Load(counts));
  Know(&local, epoch, std::move(rows));
  Renew(PathOf(epoch, fingerprint));
  return {};
}

Result<std::shared_ptr<const Catalog>> Snapshots::Read(
    int64_t epoch, const std::string& fingerprint) const {
  const std::string path = PathOf(epoch, fingerprint);
  ROWFEED_ASSIGN_OR_RETURN(const std::string bytes,
                           ReadWholeFile(path, kMostCatalogBytes));
  Result<std::shared_ptr<const Catalog>> parsed = Catalog::Parse(bytes);
  if (!parsed.ok()) return parsed.status().WithContext(path);
  std::shared_ptr<const Catalog> saved = *std::move(parsed);
  const Status confined = saved->CheckFilesAreIn(options_.growth->paths);
  if (!confined.ok()) return confined.WithContext(path);
  const std::vector<std::string> columns = ColumnNames(*first_->catalog());
  if (ColumnNames(*saved) != columns) {  // the run that saved it read other columns
    ROWFEED_ASSIGN_OR_RETURN(
        saved, Catalog::Reopen(saved->files(), columns, options_.num_threads));
  }
  ROWFEED_ASSIGN_OR_RETURN(  // the saving run may have read directories as other types
      saved, Catalog::WithPartitionTypes(saved, first_->catalog()->partition_types()));
  if (saved->fingerprint() != fingerprint) {
    return Status::Corrupt(path, " is of data with fingerprint ", saved->fingerprint());
  }
  ROWFEED_RETURN_NOT_OK(ValidateSource(options_, *saved));
  return saved;
}

std::string Snapshots::PathOf(int64_t epoch, const std::string& fingerprint) const {
  char name[96];
  std::snprintf(name, sizeof(name), "epoch-%08lld-%s.catalog",
                static_cast<long long>(epoch), fingerprint.c_str());
  return (std::filesystem::path(options_.growth->snapshot_dir) / name).string();
}

}  // namespace rowfeed
