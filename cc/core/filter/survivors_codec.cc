// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a SurvivorsCodec are, in this order: magic number, key; for each block
// that has survivors its number, their count and their span; the files whose statistics
// are wrong; whether it is known what decided about the rows, and how many rows each of
// these has decided; a checksum of all that precedes. Bytes of earlier versions are not
// parsed: what they say is counted anew.
#include "core/filter/survivors_codec.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"
#include "core/filter/expression/hex_digest.h"
#include "core/plan/blocks.h"
#include "core/wire.h"

namespace rowfeed {
namespace {

constexpr uint32_t kMagic = 0x33435352;  // "RSC3"
constexpr size_t kBlockBytes = 4 * sizeof(int64_t);
constexpr size_t kChecksumBytes = sizeof(uint64_t);

// Adds what a filter sees of directories but the fingerprint does not include: types
// that the user asked for, and partitions that are not in the names of files.
void WritePartitions(const Catalog& catalog, WireWriter* key) {
  const PartitionTypes types = catalog.partition_types();
  for (const auto& [name, type] : types) {
    if (!type.is_given) continue;
    key->String(name);
    key->Enum(type.dtype);
  }
  if (types.empty()) return;
  for (size_t i = 0; i < catalog.files().size(); ++i) {
    const CatalogFile& file = catalog.files()[i];
    if (file.partitions == PartitionsIn(file.name)) continue;
    key->Count(i);
    key->String(file.partitions);
  }
}

std::string KeyOf(const Catalog& catalog, std::string_view filter, int64_t block_rows) {
  WireWriter key;
  key.String(catalog.fingerprint());
  key.String(filter);
  key.Int(block_rows);
  WritePartitions(catalog, &key);
  return HexDigest(std::move(key).Finish());
}

// Returns the number of the first block of each row group, and at the end the number of
// blocks.
std::vector<int64_t> FirstBlocks(const Catalog& catalog, int64_t block_rows) {
  std::vector<int64_t> first{0};
  for (const RowGroup& group : catalog.row_groups()) {
    first.push_back(first.back() + NumBlocks(group.rows, block_rows));
  }
  return first;
}

uint64_t Checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

SurvivorsCodec::SurvivorsCodec(const Catalog& catalog, std::string_view filter,
                               int64_t block_rows)
    : catalog_(&catalog),
      block_rows_(block_rows),
      key_(KeyOf(catalog, filter, block_rows)) {}

int64_t SurvivorsCodec::MostBytes() const {
  // A warning about a file has its path and a value of its statistics.
  constexpr int64_t kWarningBytes = int64_t{64} << 10;
  constexpr int64_t kFixedBytes = int64_t{64} << 10;
  return kFixedBytes +
         FirstBlocks(*catalog_, block_rows_).back() * int64_t{kBlockBytes} +
         std::ssize(catalog_->files()) * kWarningBytes;
}

std::string SurvivorsCodec::Serialize(const Survivors& survivors) const {
  WireWriter writer;
  writer.Int(kMagic);
  writer.String(key_);
  const Survivors::Counts& counts = *survivors.counts;
  writer.Count(static_cast<size_t>(
      std::count_if(counts.begin(), counts.end(), [](int64_t n) { return n > 0; })));
  for (size_t block = 0; block < counts.size(); ++block) {
    if (counts[block] == 0) continue;
    writer.Int(static_cast<int64_t>(block));
    writer.Int(counts[block]);
    writer.Int(survivors.spans[block].begin);
    writer.Int(survivors.spans[block].end);
  }
  writer.Count(survivors.lying_files.size());
  for (const LyingFile& lying : survivors.lying_files) {
    writer.Int(lying.file);
    writer.String(lying.warning);
  }
  writer.Bool(survivors.decided.has_value());
  for (const int64_t rows : survivors.decided.value_or(DecidedRows()).rows) {
    writer.Int(rows);
  }
  std::string bytes = std::move(writer).Finish();
  WireWriter trailer;
  trailer.Int(Checksum(bytes));
  return bytes.append(std::move(trailer).Finish());
}

std::optional<Survivors> SurvivorsCodec::Parse(std::string_view bytes) const {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  const std::string_view sealed = bytes.substr(0, bytes.size() - kChecksumBytes);
  WireReader trailer(bytes.substr(sealed.size()));
  if (trailer.Int<uint64_t>() != Checksum(sealed)) return std::nullopt;
  WireReader reader(sealed);
  if (reader.Int<uint32_t>() != kMagic || reader.String() != key_) {
    return std::nullopt;
  }
  const std::vector<int64_t> first = FirstBlocks(*catalog_, block_rows_);
  Survivors::Counts counts(first.back());
  Survivors survivors{nullptr, std::vector<Interval>(first.back()), {}, std::nullopt};
  for (size_t left = reader.Count(kBlockBytes); left > 0; --left) {
    const auto block = reader.Int<int64_t>();
    const auto count = reader.Int<int64_t>();
    const auto begin = reader.Int<int64_t>();
    const Interval span{begin, reader.Int<int64_t>()};
    if (block < 0 || block >= first.back() || count < 1 || count > span.size()) {
      return std::nullopt;
    }
    const auto group = std::upper_bound(first.begin(), first.end(), block) - 1;
    const int64_t group_rows = catalog_->row_groups()[group - first.begin()].rows;
    const Interval rows = BlockRows(group_rows, block_rows_, block - *group);
    if (span.begin < rows.begin || span.end > rows.end) return std::nullopt;
    counts[block] = count;
    survivors.spans[block] = span;
  }
  constexpr size_t kLyingBytes = sizeof(int32_t) + sizeof(uint64_t);
  for (size_t left = reader.Count(kLyingBytes); left > 0; --left) {
    const auto file = reader.Int<int32_t>();
    survivors.lying_files.push_back({file, reader.String()});
    if (file < 0 || file >= std::ssize(catalog_->files())) return std::nullopt;
  }
  const bool is_decided = reader.Bool();
  DecidedRows decided;
  for (int64_t& rows : decided.rows)
    rows = reader.IntIn<int64_t>(0, catalog_->num_rows());
  if (is_decided) survivors.decided = decided;
  if (!reader.AtEnd()) return std::nullopt;
  survivors.counts = std::make_shared<const Survivors::Counts>(std::move(counts));
  return survivors;
}

}  // namespace rowfeed
