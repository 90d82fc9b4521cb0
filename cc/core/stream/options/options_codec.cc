// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"
#include "core/stream/options/string_encoding_codec.h"
#include "core/wire.h"

namespace rowfeed {
namespace {

constexpr uint32_t kMagic = 0x38464f52;  // "ROF8"

void WriteSizes(const std::vector<int64_t>& sizes, WireWriter* out) {
  out->Integer(static_cast<uint64_t>(sizes.size()));
  for (const int64_t size : sizes) out->Integer(size);
}

std::vector<int64_t> ReadSizes(WireReader* in) {
  std::vector<int64_t> sizes(in->Count(/*min_bytes=*/sizeof(int64_t)));
  for (int64_t& size : sizes) size = in->Integer<int64_t>();
  return sizes;
}

void WriteFeature(const Feature& feature, WireWriter* out) {
  out->String(feature.column);
  out->Integer(static_cast<uint8_t>(feature.fill.has_value()));
  out->String(feature.fill.value_or(""));
  out->Integer(feature.mask);
  out->Integer(static_cast<uint8_t>(feature.padding.has_value()));
  const Padding padding = feature.padding.value_or(Padding{});
  WriteSizes(padding.lengths, out);
  out->Integer(padding.truncate);
  out->String(padding.value);
  WriteSizes(feature.shape, out);
  out->Integer(static_cast<uint8_t>(feature.provenance.has_value()));
  out->String(feature.unit);
  out->Integer(static_cast<uint8_t>(feature.dtype.has_value()));
  out->Integer(feature.dtype.value_or(DType::kBool));
  WriteEncoding(feature.encoding, out);
  out->Integer(static_cast<uint8_t>(feature.stack.has_value()));
  const Stack stack = feature.stack.value_or(Stack{});
  out->String(stack.name);
  out->Integer(static_cast<uint8_t>(stack.by_rows));
}
constexpr size_t kMinFeatureBytes = 65 + kMinEncodingBytes;

bool ReadFeature(WireReader* in, Feature* feature) {
  feature->column = in->String();
  const bool has_fill = in->Integer<uint8_t>() != 0;
  std::string fill = in->String();
  if (has_fill) feature->fill = std::move(fill);
  feature->mask = in->Integer<Mask>();
  const bool is_padded = in->Integer<uint8_t>() != 0;
  Padding padding;
  padding.lengths = ReadSizes(in);
  padding.truncate = in->Integer<Padding::Truncate>();
  padding.value = in->String();
  const bool is_known =
      padding.truncate <= Padding::Truncate::kNever && feature->mask <= Mask::kRows;
  if (is_padded) feature->padding = std::move(padding);
  feature->shape = ReadSizes(in);
  const bool is_computed = in->Integer<uint8_t>() != 0;
  if (is_computed) feature->provenance = ProvenanceNamed(feature->column);
  feature->unit = in->String();
  const bool has_dtype = in->Integer<uint8_t>() != 0;
  const auto dtype = in->Integer<DType>();
  if (has_dtype) feature->dtype = dtype;
  const bool has_encoding = ReadEncoding(in, &feature->encoding);
  const bool is_stacked = in->Integer<uint8_t>() != 0;
  Stack stack;
  stack.name = in->String();
  stack.by_rows = in->Integer<uint8_t>() != 0;
  if (is_stacked) feature->stack = std::move(stack);
  return is_known && dtype <= DType::kBFloat16 && has_encoding;
}

void WriteGrowth(const GrowthOptions& growth, WireWriter* out) {
  out->Integer(static_cast<uint64_t>(growth.paths.size()));
  for (const std::string& path : growth.paths) out->String(path);
  out->String(growth.snapshot_dir);
  out->Integer(growth.rule.from);
  out->String(growth.rule.base);
}

GrowthOptions ReadGrowth(WireReader* in) {
  GrowthOptions growth;
  growth.paths.resize(in->Count(/*min_bytes=*/sizeof(uint64_t)));
  for (std::string& path : growth.paths) path = in->String();
  growth.snapshot_dir = in->String();
  growth.rule.from = in->Integer<PartitionRule::From>();
  growth.rule.base = in->String();
  return growth;
}

void WritePartitionTypes(const PartitionTypes& types, WireWriter* out) {
  out->Integer(static_cast<uint64_t>(types.size()));
  for (const auto& [name, type] : types) {
    out->String(name);
    out->Integer(type.dtype);
    out->Integer(static_cast<uint8_t>(type.is_given));
  }
}

// False if the bytes are no types.
bool ReadPartitionTypes(WireReader* in, PartitionTypes* types) {
  const size_t num_types = in->Count(/*min_bytes=*/sizeof(uint64_t) + 2);
  bool are_known = true;
  for (size_t i = 0; i < num_types; ++i) {
    const std::string name = in->String();
    const auto dtype = in->Integer<DType>();
    (*types)[name] = {dtype, in->Integer<uint8_t>() != 0};
    are_known &= dtype <= DType::kBFloat16;
  }
  return are_known;
}

}  // namespace

std::string StreamOptions::Serialize() const {
  WireWriter writer;
  writer.Integer(kMagic);
  writer.Integer(static_cast<uint64_t>(features.size()));
  for (const Feature& feature : features) WriteFeature(feature, &writer);
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
  writer.Integer(max_batches_per_arena);
  writer.String(filter);
  writer.String(cache_dir);
  writer.Integer(static_cast<uint8_t>(verify_checksums));
  WritePartitionTypes(partition_types, &writer);
  writer.Integer(static_cast<uint8_t>(use_statistics));
  writer.Integer(static_cast<uint8_t>(growth.has_value()));
  if (growth) WriteGrowth(*growth, &writer);
  writer.Integer(static_cast<uint8_t>(mixture != nullptr));
  if (mixture) mixture->Write(&writer);
  return std::move(writer).Finish();
}

Result<StreamOptions> StreamOptions::Parse(std::string_view bytes, bool is_source) {
  WireReader reader(bytes);
  const bool known = reader.Integer<uint32_t>() == kMagic;
  bool makes_sense = known;
  StreamOptions options;
  options.features.resize(known ? reader.Count(kMinFeatureBytes) : 0);
  for (Feature& feature : options.features) {
    makes_sense &= ReadFeature(&reader, &feature);
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
  options.max_batches_per_arena = reader.Integer<int64_t>();
  options.filter = reader.String();
  options.cache_dir = reader.String();
  options.verify_checksums = reader.Integer<uint8_t>() != 0;
  makes_sense &= ReadPartitionTypes(&reader, &options.partition_types);
  options.use_statistics = reader.Integer<uint8_t>() != 0;
  if (reader.Integer<uint8_t>() != 0) options.growth = ReadGrowth(&reader);
  if (reader.Integer<uint8_t>() != 0) {
    if (!is_source) options.mixture = MixtureOptions::Read(&reader);
    makes_sense &= options.mixture != nullptr;
  }
  makes_sense &= options.delivery.remainder <= Remainder::kUneven;
  makes_sense &=
      !options.growth || options.growth->rule.from <= PartitionRule::From::kBase;
  if (!makes_sense || !reader.AtEnd()) {
    return Status::Invalid("these bytes are not serialized stream options");
  }
  return options;
}

}  // namespace rowfeed
