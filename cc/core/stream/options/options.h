// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_OPTIONS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/fields.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/options/feature.h"

namespace rowfeed {

struct MixtureOptions;

// Of a data set that is listed anew at the beginning of each epoch.
struct GrowthOptions {
  std::vector<std::string> paths;  // as of Catalog::Open
  std::string snapshot_dir;        // where the catalog of each epoch is kept
  PartitionRule rule = {};

  static constexpr auto Fields() {
    return std::tuple(Field{"paths", &GrowthOptions::paths},
                      Field{"snapshot_dir", &GrowthOptions::snapshot_dir},
                      Field{"rule", &GrowthOptions::rule});
  }
};

// Of the sources of a mixture; of one data set, its own alone.
using Catalogs = std::vector<std::shared_ptr<const Catalog>>;

// All that a stream needs to know beside its catalogs. A value: it crosses into
// TensorFlow graphs and other processes as bytes.
struct StreamOptions {
  // Of a mixture, features are those of its first source, and of order num_lanes alone
  // has a meaning.
  std::vector<Feature> features;
  OrderOptions order;
  std::shared_ptr<const MixtureOptions> mixture;  // nullptr: one data set
  DeliveryOptions delivery;
  std::optional<int64_t> num_epochs = 1;  // per iteration; nullopt: without end
  // Every epoch has the order of this one (reshuffle_each_iteration=False).
  std::optional<int64_t> pinned_epoch;
  int num_threads = 1;
  int64_t memory_budget_bytes = 0;  // 0: DefaultMemoryBudget
  // Which rows: an expression as Arrow serializes it; empty: all. Decides the order.
  std::string filter;
  // Where to keep how many rows the filter leaves; empty: nowhere.
  std::string cache_dir;
  // Pages that have a checksum must match it, those that filters read, too.
  bool verify_checksums = false;
  // The types of the catalog's partition columns, so that a process that opens the data
  // again reads the same.
  PartitionTypes partition_types;
  // Whether the filter believes what files state of their values; it decides what is
  // read, and no order.
  bool use_statistics = true;
  // Rows whose file has gone, or is another, since the epoch began are fill: batches
  // say which rows are valid, whatever the remainder.
  std::optional<GrowthOptions> growth;
  // Small batches share arenas: so many, unless windows are smaller.
  int64_t max_batches_per_arena = 1;
  // Whether batches have InlineStrings where they can. The face of this process decides
  // it, so it is neither a field nor in the bytes.
  bool inline_strings = false;

  static constexpr auto Fields() {
    using O = StreamOptions;
    return std::tuple(
        Field{"features", &O::features}, Field{"order", &O::order}.OfOrder(),
        Field{"delivery", &O::delivery}, Field{"num_epochs", &O::num_epochs}.AtLeast(1),
        Field{"pinned_epoch", &O::pinned_epoch}.AtLeast(0).OfOrder(),
        Field{"num_threads", &O::num_threads}.AtLeast(1),
        Field{"memory_budget_bytes", &O::memory_budget_bytes}.AtLeast(1).OrUnset(0),
        Field{"filter", &O::filter}.OfOrder(), Field{"cache_dir", &O::cache_dir},
        Field{"verify_checksums", &O::verify_checksums},
        Field{"use_statistics", &O::use_statistics}, Field{"growth", &O::growth},
        Field{"max_batches_per_arena", &O::max_batches_per_arena}.AtLeast(1).Internal(),
        Field{"partition_types", &O::partition_types},
        Field{"mixture", &O::mixture}.Internal());
  }

  // Features and order of a source; of one data set, these options.
  const StreamOptions& source(size_t index) const;

  int64_t max_arena_rows() const { return delivery.batch_size * max_batches_per_arena; }
  // Lanes that a rank has rows of, in turn.
  int64_t own_lanes() const {
    return order.num_lanes / std::gcd(order.num_lanes, delivery.world_size);
  }
  int64_t OrderEpoch(int64_t epoch) const { return pinned_epoch.value_or(epoch); }

  std::string Serialize() const;
  // `is_source`: of a mixture, and so none itself.
  static Result<StreamOptions> Parse(std::string_view bytes, bool is_source = false);
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_OPTIONS_H_
