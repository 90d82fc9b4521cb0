// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options.h"
#include "core/wire.h"

namespace rowfeed {
namespace {

constexpr uint32_t kMagic = 0x32464f52;  // "ROF2"

}  // namespace

std::string StreamOptions::Serialize() const {
  WireWriter writer;
  writer.Integer(kMagic);
  writer.Integer(static_cast<uint64_t>(features.size()));
  for (const Feature& feature : features) {
    writer.String(feature.column);
    writer.Integer(static_cast<uint8_t>(feature.fill.has_value()));
    writer.String(feature.fill.value_or(""));
    writer.Integer(static_cast<uint8_t>(feature.provenance.has_value()));
  }
  writer.Integer(static_cast<uint8_t>(order.shuffle));
  writer.Integer(order.seed);
  writer.Integer(order.shuffle_window);
  writer.Integer(order.block_rows);
  writer.Integer(order.num_lanes);
  writer.Integer(delivery.batch_size);
  writer.Integer(delivery.rank);
  writer.Integer(delivery.world_size);
  writer.Integer(delivery.remainder);
  writer.Integer(delivery.end_row);
  writer.Integer(num_epochs);
  writer.Integer(pinned_epoch.value_or(-1));
  writer.Integer(num_threads);
  writer.Integer(memory_budget_bytes);
  writer.Integer(batches_per_arena);
  return std::move(writer).Finish();
}

Result<StreamOptions> StreamOptions::Parse(std::string_view bytes) {
  WireReader reader(bytes);
  const bool known = reader.Integer<uint32_t>() == kMagic;
  StreamOptions options;
  options.features.resize(known ? reader.Count(/*min_bytes=*/18) : 0);
  for (Feature& feature : options.features) {
    feature.column = reader.String();
    const bool has_fill = reader.Integer<uint8_t>() != 0;
    std::string fill = reader.String();
    if (has_fill) feature.fill = std::move(fill);
    const bool is_computed = reader.Integer<uint8_t>() != 0;
    if (is_computed) feature.provenance = ProvenanceNamed(feature.column);
  }
  options.order.shuffle = reader.Integer<uint8_t>() != 0;
  options.order.seed = reader.Integer<uint64_t>();
  options.order.shuffle_window = reader.Integer<int64_t>();
  options.order.block_rows = reader.Integer<int64_t>();
  options.order.num_lanes = reader.Integer<int64_t>();
  options.delivery.batch_size = reader.Integer<int64_t>();
  options.delivery.rank = reader.Integer<int64_t>();
  options.delivery.world_size = reader.Integer<int64_t>();
  options.delivery.remainder = reader.Integer<Remainder>();
  options.delivery.end_row = reader.Integer<int64_t>();
  options.num_epochs = reader.Integer<int64_t>();
  const auto pinned_epoch = reader.Integer<int64_t>();
  if (pinned_epoch >= 0) options.pinned_epoch = pinned_epoch;
  options.num_threads = reader.Integer<int>();
  options.memory_budget_bytes = reader.Integer<int64_t>();
  options.batches_per_arena = reader.Integer<int64_t>();
  if (!known || !reader.AtEnd() || options.delivery.remainder > Remainder::kUneven) {
    return Status::Invalid("these bytes are not serialized stream options");
  }
  return options;
}

}  // namespace rowfeed
