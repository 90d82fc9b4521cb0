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
#include "core/export.h"
#include "core/fields.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/options/column_spec.h"

namespace rowfeed {

struct MixtureOptions;

// Options of a data set that is listed anew at the beginning of each epoch.
struct GrowthOptions {
  std::vector<std::string> paths;  // paths that Catalog::Open takes
  std::string snapshot_dir;        // directory that keeps the catalog of each epoch
  PartitionRule rule = {};

  static constexpr auto Fields() {
    return std::tuple(Field{"paths", &GrowthOptions::paths},
                      Field{"snapshot_dir", &GrowthOptions::snapshot_dir},
                      Field{"rule", &GrowthOptions::rule});
  }
};

// The catalogs of the sources of a mixture, or of the only data set.
using Catalogs = std::vector<std::shared_ptr<const Catalog>>;

// All that a stream needs to know beside its catalogs. It is a value, which goes into
// TensorFlow graphs and to other processes as bytes.
struct ROWFEED_EXPORT StreamOptions {
  // In a mixture, `columns` are those of its first source, and only num_lanes of
  // `order` has a meaning.
  std::vector<ColumnSpec> columns;
  OrderOptions order;
  std::shared_ptr<const MixtureOptions> mixture;  // nullptr: one data set
  DeliveryOptions delivery;
  std::optional<int64_t> num_epochs = 1;  // epochs per iteration; nullopt: without end
  // If set, every epoch has the order of this one (reshuffle_each_iteration=False).
  std::optional<int64_t> pinned_epoch;
  int num_threads = 1;
  int64_t memory_budget_bytes = 0;  // 0: DefaultMemoryBudget
  // The rows to deliver: an expression that Arrow has serialized; empty: all rows. It
  // takes part in deciding the order.
  std::string filter;
  // Directory that keeps how many rows the filter lets pass; empty: there is none.
  std::string cache_dir;
  // Whether pages that have a checksum must match it, even those that filters read.
  bool verify_checksums = false;
  // Types of the catalog's partition columns, so that a process that opens the data
  // again reads the same values.
  PartitionTypes partition_types;
  // Whether the filter believes what files state about their values. This decides what
  // is read, and not the order.
  bool use_statistics = true;
  // Set if the data set grows. Rows whose file has vanished or was replaced since the
  // epoch began become fill: batches tell which rows are valid, whatever the remainder.
  std::optional<GrowthOptions> growth;
  // How many small batches share an arena at most. Small windows allow fewer.
  int64_t max_batches_per_arena = 1;
  // Whether batches have InlineStrings where they can. The adapter of this process
  // decides it, so it is neither a field nor in the bytes.
  bool inline_strings = false;

  static constexpr auto Fields() {
    using O = StreamOptions;
    return std::tuple(
        Field{"columns", &O::columns}, Field{"order", &O::order}.OfOrder(),
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

  // Returns the columns and order of a source. Without a mixture, returns these
  // options.
  const StreamOptions& source(size_t index) const;

  int64_t max_arena_rows() const { return delivery.batch_size * max_batches_per_arena; }
  // Number of lanes from which the rank gets its rows, in turn.
  int64_t own_lanes() const {
    return order.num_lanes / std::gcd(order.num_lanes, delivery.world_size);
  }
  int64_t OrderEpoch(int64_t epoch) const { return pinned_epoch.value_or(epoch); }

  std::string Serialize() const;
  // `is_source`: these are the options of a source of a mixture, which is no mixture
  // itself.
  static Result<StreamOptions> Parse(std::string_view bytes, bool is_source = false);
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_OPTIONS_H_
