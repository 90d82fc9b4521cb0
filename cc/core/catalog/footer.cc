// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/footer.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"
#include "core/arrow_status.h"
#include "core/arrow_version.h"
#include "core/catalog/mended_footer.h"
#include "core/io/fetched_file.h"
#include "parquet/properties.h"

namespace rowfeed {
namespace {

constexpr int64_t kFirstReadBytes = 64 << 10;
constexpr int64_t kMaxFirstReadBytes = 256 << 10;
constexpr int64_t kMagicBytes = 4;
constexpr int64_t kTrailerBytes = 8;  // length of the footer, then magic bytes
constexpr std::string_view kParquetMagic = "PAR1";
constexpr std::string_view kEncryptedMagic = "PARE";

// Returns a pointer to the place `from_end` bytes before the end of the file.
const uint8_t* At(const FetchedExtent& tail, int64_t from_end) {
  return tail.bytes.get() + (tail.extent.size - from_end);
}

// Reads the last `size` bytes of a file.
Result<FetchedExtent> ReadTail(const RandomAccessFile& file, int64_t size,
                               const Cancelled& cancelled) {
  const Extent extent{file.size() - size, size};
  const std::shared_ptr<uint8_t[]> bytes(new uint8_t[size]);
  ROWFEED_ASSIGN_OR_RETURN(const auto fetched,
                           file.Fetch({extent}, nullptr, cancelled));
  CopyFetched(fetched, extent, bytes.get());
  return FetchedExtent{extent, bytes};
}

// Returns how many bytes to read first, so that most footers fit. For a large remote
// file, 1/4096 of it, as another round trip takes longer than reading more.
int64_t FirstReadBytes(const RandomAccessFile& file) {
  int64_t bytes = kFirstReadBytes;
  if (file.is_remote()) bytes = std::max(bytes, file.size() / 4096);
  return std::min({bytes, kMaxFirstReadBytes, file.size()});
}

Status NotParquet(const RandomAccessFile& file) {
  uint8_t head[kMagicBytes] = {};
  if (file.size() >= kMagicBytes) {
    ROWFEED_RETURN_NOT_OK(file.ReadAt(0, kMagicBytes, head));
  }
  if (std::memcmp(head, kParquetMagic.data(), kMagicBytes) == 0) {
    return Status::Corrupt(file.path(),
                           " is cut off: it starts as a Parquet file, but its ",
                           file.size(), " bytes do not end with \"PAR1\"");
  }
  return Status::Invalid(file.path(), " is not a Parquet file: its ", file.size(),
                         " bytes do not end with \"PAR1\"");
}

// Returns the length of the footer. The tail must hold at least the trailer.
Result<int64_t> FooterLength(const RandomAccessFile& file, const FetchedExtent& tail) {
  const uint8_t* magic = At(tail, kMagicBytes);
  if (std::memcmp(magic, kEncryptedMagic.data(), kMagicBytes) == 0) {
    return Status::Unsupported(file.path(), " is encrypted, which is not supported");
  }
  if (std::memcmp(magic, kParquetMagic.data(), kMagicBytes) != 0)
    return NotParquet(file);
  const uint8_t* length = At(tail, kTrailerBytes);
  const int64_t claimed = int64_t{length[0]} | int64_t{length[1]} << 8 |
                          int64_t{length[2]} << 16 | int64_t{length[3]} << 24;
  if (claimed == 0 || claimed > file.size() - kTrailerBytes) {
    return Status::Corrupt(file.path(), ": a footer of ", claimed,
                           " bytes is claimed, but the file has ", file.size());
  }
  return claimed;
}

using ParquetFooter = std::shared_ptr<parquet::FileMetaData>;

Result<ParquetFooter> Parse(std::string_view footer) {
  // A list or string of n elements takes at least n bytes in the footer. A larger
  // claimed size is a lie, for which no memory must be allocated.
  parquet::ReaderProperties properties;
  const auto limit =
      static_cast<int32_t>(std::min<int64_t>(std::ssize(footer), INT32_MAX));
  properties.set_thrift_string_size_limit(limit);
  properties.set_thrift_container_size_limit(limit);
  return CatchParquet([&]() -> Result<ParquetFooter> {
    return ParseFooter(reinterpret_cast<const uint8_t*>(footer.data()),
                       std::ssize(footer), properties);
  });
}

struct ParsedFooter {
  ParquetFooter metadata;
  RefusedTypes refused;
};

Result<ParsedFooter> ParseOrMend(std::string_view footer) {
  Result<ParquetFooter> whole = Parse(footer);
  if (whole.ok()) return ParsedFooter{*std::move(whole), {}};
  if (whole.status().code() == StatusCode::kOutOfMemory) return whole.status();
  std::optional<MendedFooter> mended = MendFooter(footer);
  if (!mended) return whole.status();
  Result<ParquetFooter> rest = Parse(mended->bytes);
  if (!rest.ok()) return whole.status();
  return ParsedFooter{*std::move(rest), std::move(mended->refused)};
}

}  // namespace

Result<bool> EndsAsParquet(const RandomAccessFile& file, const Cancelled& cancelled) {
  if (file.size() < kTrailerBytes) return false;
  ROWFEED_ASSIGN_OR_RETURN(const FetchedExtent tail,
                           ReadTail(file, kMagicBytes, cancelled));
  const std::string_view end(reinterpret_cast<const char*>(tail.bytes.get()),
                             kMagicBytes);
  return end == kParquetMagic || end == kEncryptedMagic;
}

namespace {

// Reads the footer without a check that the file has not changed since it was opened.
Result<Footer> ReadUnchecked(const RandomAccessFile& file, const Cancelled& cancelled) {
  if (file.size() < kTrailerBytes) return NotParquet(file);
  ROWFEED_ASSIGN_OR_RETURN(FetchedExtent tail,
                           ReadTail(file, FirstReadBytes(file), cancelled));
  ROWFEED_ASSIGN_OR_RETURN(const int64_t length, FooterLength(file, tail));
  if (length + kTrailerBytes > tail.extent.size) {
    ROWFEED_ASSIGN_OR_RETURN(tail, ReadTail(file, length + kTrailerBytes, cancelled));
  }
  const uint8_t* bytes = At(tail, length + kTrailerBytes);
  const std::string_view footer(reinterpret_cast<const char*>(bytes), length);
  Result<ParsedFooter> parsed = ParseOrMend(footer);
  if (!parsed.ok()) {
    return parsed.status().WithContext(file.path() + ": the footer cannot be read");
  }
  return Footer{std::move(parsed->metadata), std::move(parsed->refused),
                XXH3_64bits(bytes, length), std::move(tail)};
}

}  // namespace

Result<Footer> ReadFooter(const RandomAccessFile& file, const Cancelled& cancelled) {
  Result<Footer> footer = ReadUnchecked(file, cancelled);
  const StatusCode code = footer.status().code();
  if (code == StatusCode::kCancelled || code == StatusCode::kUnavailable) return footer;
  ROWFEED_RETURN_NOT_OK(file.CheckUnchanged(cancelled));
  return footer;
}

}  // namespace rowfeed
