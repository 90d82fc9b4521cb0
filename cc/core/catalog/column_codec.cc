// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/column_codec.h"

#include "core/catalog/partition.h"
#include "core/catalog/schema/dtypes.h"

namespace rowfeed {
namespace {

void WriteSizes(const std::vector<int64_t>& sizes, WireWriter* out) {
  out->Count(sizes.size());
  for (const int64_t size : sizes) out->Int(size);
}

std::vector<int64_t> ReadSizes(WireReader* in) {
  std::vector<int64_t> sizes(in->Count(sizeof(int64_t)));
  for (int64_t& size : sizes) size = in->Int<int64_t>();
  return sizes;
}

// Says where a column comes from.
enum Origin : uint8_t { kOfFiles, kPartition, kPartitionOfGivenType, kAddedIndex };

Origin OriginOf(const Column& column) {
  if (column.is_added_index) return kAddedIndex;
  if (!column.is_partition) return kOfFiles;
  return column.is_type_given ? kPartitionOfGivenType : kPartition;
}

bool IsOfDirectories(const Column& column) {
  const Column made = PartitionColumn(column.name, {column.dtype, false});
  return column.dtype == PartitionDType(column.dtype) && column.ragged_rank == 0 &&
         column.dense_shape.empty() && column.unit.empty() &&
         column.storage == made.storage;
}

}  // namespace

void WriteStorage(const ColumnStorage& storage, WireWriter* out) {
  out->Enum(storage.physical);
  out->Int(storage.type_length);
  out->Int(storage.decimal_scale);
  out->Int(storage.max_definition_level);
  out->Int(static_cast<uint8_t>(storage.slot_definition_levels.size()));
  for (const int16_t level : storage.slot_definition_levels) out->Int(level);
}

ColumnStorage ReadStorage(WireReader* in) {
  ColumnStorage storage;
  storage.physical = in->Enum(ColumnStorage::kFixedLenByteArray);
  storage.type_length = in->Int<int32_t>();
  storage.decimal_scale = in->Int<int16_t>();
  storage.max_definition_level = in->Int<int16_t>();
  storage.slot_definition_levels.resize(in->Int<uint8_t>());
  for (int16_t& level : storage.slot_definition_levels) level = in->Int<int16_t>();
  return storage;
}

void WriteColumn(const Column& column, WireWriter* out) {
  out->String(column.name);
  out->Count(column.path.size());
  for (const std::string& field : column.path) out->String(field);
  out->String(column.logical_type);
  out->String(column.unsupported);
  out->Enum(OriginOf(column));
  out->Enum(column.dtype);
  out->Int(column.ragged_rank);
  WriteSizes(column.dense_shape, out);
  WriteSizes(column.list_sizes, out);
  out->String(column.unit);
  WriteStorage(column.storage, out);
}

Column ReadColumn(WireReader* in) {
  Column column;
  column.name = in->String();
  column.path.resize(in->Count(sizeof(uint64_t)));
  for (std::string& field : column.path) field = in->String();
  column.logical_type = in->String();
  column.unsupported = in->String();
  const auto origin = in->Enum(kAddedIndex);
  column.is_partition = origin == kPartition || origin == kPartitionOfGivenType;
  column.is_type_given = origin == kPartitionOfGivenType;
  column.is_added_index = origin == kAddedIndex;
  column.dtype = in->Enum<DType>();
  if (!InfoOf(column.dtype).physical) in->Fail();  // no file has it
  column.ragged_rank = in->Int<int32_t>();
  column.dense_shape = ReadSizes(in);
  column.list_sizes = ReadSizes(in);
  column.unit = in->String();
  column.storage = ReadStorage(in);
  if (!IsConsistent(column, column.storage)) in->Fail();
  if (column.is_partition && !IsOfDirectories(column)) in->Fail();
  return column;
}

void WriteDifferences(const FileLayout& layout, WireWriter* out) {
  out->Count(layout.differences.size());
  for (const Difference& difference : layout.differences) {
    out->Int(difference.column);
    out->Enum(difference.kind);
    if (!difference.is_null()) WriteColumn(difference.as_stored, out);
  }
}

std::vector<Difference> ReadDifferences(size_t num_columns, WireReader* in) {
  std::vector<Difference> differences(in->Count(sizeof(int32_t) + 1));
  int64_t least = 0;  // least number that the next column may have
  for (Difference& difference : differences) {
    difference.column =
        in->IntIn<int32_t>(least, static_cast<int64_t>(num_columns) - 1);
    difference.kind = in->Enum(Difference::Kind::kOther);
    if (!difference.is_null()) difference.as_stored = ReadColumn(in);
    if (!in->ok()) return {};
    least = int64_t{difference.column} + 1;
  }
  return differences;
}

}  // namespace rowfeed
