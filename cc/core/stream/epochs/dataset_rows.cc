// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/dataset_rows.h"

#include <optional>
#include <utility>

#include "core/filter/expression/row_filter.h"
#include "core/filter/survivors_cache.h"
#include "core/filter/survivors_codec.h"

namespace rowfeed {
namespace {

// Returns the codec for shares. It has a key of its own, so that what one process has
// counted cannot pass for the whole.
SurvivorsCodec ShareCodec(const Catalog& catalog, const std::string& filter,
                          int64_t block_rows) {
  return {catalog, filter + " (a share)", block_rows};
}

}  // namespace

DatasetRows::DatasetRows(std::shared_ptr<const Catalog> catalog,
                         const StreamOptions& options)
    : catalog_(std::move(catalog)),
      filter_(options.filter),
      block_rows_(options.order.block_rows),
      num_threads_(options.num_threads),
      cache_dir_(options.cache_dir),
      verifies_checksums_(options.verify_checksums),
      use_statistics_(options.use_statistics) {}

DatasetRows::~DatasetRows() {
  delete known_.load();
  delete warnings_.load();
}

CountOptions DatasetRows::OptionsOf(Share share) const {
  return {.block_rows = block_rows_,
          .share = share,
          .num_threads = num_threads_,
          .use_statistics = use_statistics_};
}

std::string DatasetRows::CacheKey(const std::string& key) const {
  return use_statistics_ ? key : key + " by values alone";
}

void DatasetRows::Warn(const Survivors& counted) {
  if (counted.lying_files.empty()) return;
  auto warnings = std::make_unique<std::vector<std::string>>();
  for (const LyingFile& lying : counted.lying_files) {
    warnings->push_back(
        lying.warning +
        ". The statistics, page indexes or bloom filters of the file are wrong; its "
        "rows that pass the filter were counted without them. use_statistics=False "
        "reads without them from the beginning");
  }
  delete warnings_.exchange(warnings.release());
}

std::vector<std::string> DatasetRows::TakeWarnings() {
  const std::unique_ptr<std::vector<std::string>> taken(warnings_.exchange(nullptr));
  return taken ? std::move(*taken) : std::vector<std::string>();
}

Result<std::shared_ptr<const FilteredRows>> DatasetRows::Filtered(
    const Cancelled& cancelled) {
  if (filter_.empty()) return std::shared_ptr<const FilteredRows>();
  if (const auto* known = known_.load()) return *known;
  ROWFEED_ASSIGN_OR_RETURN(FilteredRows counted, Count(cancelled));
  return Know(std::move(counted));
}

Result<std::shared_ptr<const RowFilter>> DatasetRows::MakeFilter() const {
  return RowFilter::Make(filter_, *catalog_, verifies_checksums_);
}

Result<FilteredRows> DatasetRows::Count(const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(auto filter, MakeFilter());
  const SurvivorsCodec codec(*catalog_, filter_, block_rows_);
  const SurvivorsCache cache(cache_dir_, *catalog_);
  const std::string key = CacheKey(codec.key());
  if (std::optional<Survivors> kept = codec.Parse(cache.Read(key, codec.MostBytes()))) {
    return FilteredRows{std::move(filter), *std::move(kept), cache_dir_,
                        use_statistics_};
  }
  ROWFEED_ASSIGN_OR_RETURN(
      Survivors survivors,
      CountSurvivors(*catalog_, *filter, OptionsOf(Share{}), cancelled));
  Warn(survivors);
  ROWFEED_RETURN_NOT_OK(cache.Write(key, codec.Serialize(survivors)));
  return FilteredRows{std::move(filter), std::move(survivors), {}, use_statistics_};
}

std::string DatasetRows::Save() const {
  const auto* known = known_.load();
  if (known == nullptr) return {};
  return SurvivorsCodec(*catalog_, filter_, block_rows_).Serialize((*known)->survivors);
}

Status DatasetRows::Load(std::string_view saved) {
  if (saved.empty()) return {};
  auto survivors = SurvivorsCodec(*catalog_, filter_, block_rows_).Parse(saved);
  if (!survivors) return Status::Invalid("these bytes are not survivors of the filter");
  ROWFEED_ASSIGN_OR_RETURN(auto filter, MakeFilter());
  Know({std::move(filter), *std::move(survivors), {}, use_statistics_});
  return {};
}

Result<std::string> DatasetRows::CountShare(Share share, const Cancelled& cancelled) {
  const auto* known = known_.load();
  if (known != nullptr)
    return ShareCodec(*catalog_, filter_, block_rows_).Serialize((*known)->survivors);
  const SurvivorsCodec codec(*catalog_, filter_, block_rows_);
  const SurvivorsCache cache(cache_dir_, *catalog_);
  if (auto kept = codec.Parse(cache.Read(CacheKey(codec.key()), codec.MostBytes()))) {
    return ShareCodec(*catalog_, filter_, block_rows_).Serialize(*kept);
  }
  ROWFEED_ASSIGN_OR_RETURN(auto filter, MakeFilter());
  ROWFEED_ASSIGN_OR_RETURN(
      const Survivors survivors,
      CountSurvivors(*catalog_, *filter, OptionsOf(share), cancelled));
  Warn(survivors);
  return ShareCodec(*catalog_, filter_, block_rows_).Serialize(survivors);
}

Status DatasetRows::Join(const std::vector<std::string>& shares) {
  std::vector<Survivors> parsed;
  for (const std::string& share : shares) {
    std::optional<Survivors> part =
        ShareCodec(*catalog_, filter_, block_rows_).Parse(share);
    if (!part) return Status::Invalid("these bytes are no share of the survivors");
    parsed.push_back(*std::move(part));
  }
  if (parsed.empty()) return Status::Invalid("there are no shares");
  ROWFEED_ASSIGN_OR_RETURN(auto filter, MakeFilter());
  ROWFEED_ASSIGN_OR_RETURN(
      Survivors all, JoinShares(*catalog_, *filter, block_rows_, num_threads_, parsed));
  const SurvivorsCodec codec(*catalog_, filter_, block_rows_);
  ROWFEED_RETURN_NOT_OK(SurvivorsCache(cache_dir_, *catalog_)
                            .Write(CacheKey(codec.key()), codec.Serialize(all)));
  Know({std::move(filter), std::move(all), {}, use_statistics_});
  return {};
}

std::shared_ptr<const FilteredRows> DatasetRows::Know(FilteredRows rows) {
  const auto* made = new std::shared_ptr<const FilteredRows>(
      std::make_shared<const FilteredRows>(std::move(rows)));
  const std::shared_ptr<const FilteredRows>* known = nullptr;
  if (known_.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

Result<EpochRows> DatasetRows::Get(const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(const auto filtered, Filtered(cancelled));
  return EpochRows(catalog_->group_rows(),
                   filtered ? filtered->survivors.counts : nullptr);
}

Result<int64_t> DatasetRows::NumRows(const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(const auto filtered, Filtered(cancelled));
  return filtered ? filtered->survivors.num_rows() : catalog_->num_rows();
}

int64_t DatasetRows::MaxRows() const {
  const auto* known = known_.load();
  return known == nullptr ? catalog_->num_rows() : (*known)->survivors.num_rows();
}

}  // namespace rowfeed
