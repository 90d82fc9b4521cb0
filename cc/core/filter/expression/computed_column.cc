// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/computed_column.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "arrow/array.h"
#include "arrow/buffer.h"
#include "arrow/type.h"
#include "core/arrow_status.h"
#include "core/catalog/schema/provenance.h"
#include "core/filter/expression/value_hash.h"

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"

namespace rowfeed {
namespace {

constexpr std::string_view kSplit = "__split:";

uint64_t Hash(uint64_t value, uint64_t seed) {
  return XXH3_64bits_withSeed(&value, sizeof value, seed);
}

// Removes what stands before the next ':' from `name`, and returns it; nullopt if there
// is no ':'.
std::optional<std::string_view> Cut(std::string_view* name) {
  const size_t end = name->find(':');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view found = name->substr(0, end);
  name->remove_prefix(end + 1);
  return found;
}

std::optional<uint64_t> ParseSeed(std::string_view digits) {
  uint64_t seed = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, seed);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return seed;
}

}  // namespace

std::optional<ComputedColumn> ComputedColumn::Parse(std::string_view name) {
  for (const auto& [place, kind] : {std::pair(Provenance::kFile, Kind::kFile),
                                    std::pair(Provenance::kRowGroup, Kind::kRowGroup),
                                    std::pair(Provenance::kRow, Kind::kRow)}) {
    if (name == NameOf(place)) return ComputedColumn(kind, 0, {});
  }
  if (name.substr(0, kSplit.size()) != kSplit) return std::nullopt;
  name.remove_prefix(kSplit.size());
  const auto unit = Cut(&name);
  if (!unit) return std::nullopt;
  if (*unit == "by") {
    const auto digits = Cut(&name);
    const auto seed = digits ? ParseSeed(*digits) : std::nullopt;
    if (!seed || name.empty()) return std::nullopt;
    return ComputedColumn(Kind::kHashOfValue, *seed, std::string(name));
  }
  const auto seed = ParseSeed(name);
  if (!seed) return std::nullopt;
  if (*unit == "row") return ComputedColumn(Kind::kHashOfRow, *seed, {});
  if (*unit == "row_group") return ComputedColumn(Kind::kHashOfRowGroup, *seed, {});
  if (*unit == "file") return ComputedColumn(Kind::kHashOfFile, *seed, {});
  return std::nullopt;
}

uint64_t ComputedColumn::FileKey(const Catalog& catalog, const RowGroup& group) const {
  const std::string& name = catalog.files()[group.file].name;
  return XXH3_64bits_withSeed(name.data(), name.size(), seed_);
}

uint64_t ComputedColumn::GroupKey(const Catalog& catalog, const RowGroup& group) const {
  return Hash(static_cast<uint64_t>(group.index), FileKey(catalog, group));
}

std::optional<ComputedColumn::Range> ComputedColumn::RangeIn(
    const Catalog& catalog, const RowGroup& group) const {
  const auto only = [](int64_t value) { return Range{value, value}; };
  switch (kind_) {
    case Kind::kFile:
      return only(group.file);
    case Kind::kRowGroup:
      return only(group.index);
    case Kind::kRow:
      return Range{0, group.rows - 1};
    case Kind::kHashOfFile:
      return only(static_cast<int64_t>(FileKey(catalog, group) >> 1));
    case Kind::kHashOfRowGroup:
      return only(static_cast<int64_t>(GroupKey(catalog, group) >> 1));
    case Kind::kHashOfRow:
    case Kind::kHashOfValue:
      break;
  }
  return std::nullopt;
}

Result<std::shared_ptr<arrow::Array>> ComputedColumn::Compute(
    const Catalog& catalog, const RowGroup& group, Interval rows,
    const arrow::Array* values) const {
  auto made = arrow::AllocateBuffer(rows.size() * int64_t{sizeof(int64_t)});
  if (!made.ok()) return FromArrow(made.status());
  std::shared_ptr<arrow::Buffer> buffer = *std::move(made);
  auto* out = reinterpret_cast<int64_t*>(buffer->mutable_data());
  const auto range = RangeIn(catalog, group);
  if (kind_ == Kind::kHashOfValue) {
    ROWFEED_RETURN_NOT_OK(HashValues(*values, seed_, out));
  } else if (kind_ == Kind::kRow) {
    for (int64_t row = rows.begin; row < rows.end; ++row) *out++ = row;
  } else if (kind_ == Kind::kHashOfRow) {
    const uint64_t key = GroupKey(catalog, group);
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      *out++ = static_cast<int64_t>(Hash(static_cast<uint64_t>(row), key) >> 1);
    }
  } else {
    std::fill_n(out, rows.size(), range->least);
  }
  return std::shared_ptr<arrow::Array>(
      std::make_shared<arrow::Int64Array>(rows.size(), std::move(buffer)));
}

}  // namespace rowfeed
