// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_opener.h"

#include <cstring>
#include <span>
#include <utility>

#include "core/arrow_status.h"
#include "core/decode/pages/page_checksum.h"
#include "core/decode/pages/snappy.h"
#include "core/stopwatch.h"

namespace rowfeed {
namespace {

// Cuts the levels off the front of a v1 page's body: a length of four bytes, then runs.
Result<Bytes> TakeLevels(Bytes* body) {
  uint32_t size = 0;
  if (body->size() >= sizeof(size)) {
    std::memcpy(&size, body->data(), sizeof(size));
    *body = body->subspan(sizeof(size));
    if (size <= body->size()) {
      const Bytes levels = body->first(size);
      *body = body->subspan(size);
      return levels;
    }
  }
  return Status::Corrupt("the levels of a page are longer than the page");
}

Status DecompressWithArrow(arrow::util::Codec* codec, Bytes stored,
                           std::span<uint8_t> out) {
  const auto size = static_cast<int64_t>(out.size());
  ROWFEED_ARROW_ASSIGN_OR_RETURN(
      const int64_t found,
      codec->Decompress(stored.size(), stored.data(), size, out.data()));
  if (found == size) return {};
  return Status::Corrupt("a page decompresses to ", found, " bytes, expected ", size);
}

}  // namespace

Result<arrow::Compression::type> ArrowCodec(uint8_t codec) {
  switch (codec) {
    case 0:
      return arrow::Compression::UNCOMPRESSED;
    case 1:
      return arrow::Compression::SNAPPY;
    case 2:
      return arrow::Compression::GZIP;
    case 3:
      return arrow::Compression::LZO;
    case 4:
      return arrow::Compression::BROTLI;
    case 5:
      return arrow::Compression::LZ4_HADOOP;
    case 6:
      return arrow::Compression::ZSTD;
    case 7:
      return arrow::Compression::LZ4;
    default:
      return Status::Unsupported("compression codec ", int{codec}, " is not known");
  }
}

Result<PageOpener> PageOpener::Make(const ColumnChunk& chunk,
                                    const ColumnStorage& storage,
                                    std::shared_ptr<BufferPool> pool,
                                    int64_t* decompress_ns, bool verifies_checksums) {
  ROWFEED_ASSIGN_OR_RETURN(const arrow::Compression::type type,
                           ArrowCodec(chunk.codec));
  std::unique_ptr<arrow::util::Codec> codec;
  if (type != arrow::Compression::UNCOMPRESSED) {
    ROWFEED_ARROW_ASSIGN_OR_RETURN(codec, arrow::util::Codec::Create(type));
  }
  std::optional<int64_t> verified_chunk;
  if (verifies_checksums) verified_chunk = chunk.offset;
  return PageOpener(std::move(codec), storage, std::move(pool), decompress_ns,
                    verified_chunk);
}

Status PageOpener::Reserve(int64_t size) {
  if (scratch_ && size <= scratch_.capacity()) return {};
  ROWFEED_ASSIGN_OR_RETURN(scratch_, pool_->Allocate(size));
  return {};
}

Result<Bytes> PageOpener::Decompress(Bytes stored, int64_t size, bool is_compressed) {
  if (codec_ == nullptr || !is_compressed) {
    left_in_place_ = true;
    return stored;
  }
  // Some writers store an empty page as no bytes, some as the codec's empty stream.
  if (size == 0) return Bytes();
  ROWFEED_RETURN_NOT_OK(Reserve(size));
  const std::span<uint8_t> out(scratch_.data(), size);
  const Stopwatch watch;
  ROWFEED_RETURN_NOT_OK(codec_->compression_type() == arrow::Compression::SNAPPY
                            ? DecompressSnappy(stored, out)
                            : DecompressWithArrow(codec_.get(), stored, out));
  if (decompress_ns_ != nullptr) *decompress_ns_ += watch.ns();
  return Bytes(out);
}

Result<PageBody> PageOpener::Open(const Page& page) {
  if (verified_chunk_) ROWFEED_RETURN_NOT_OK(VerifyPage(page, *verified_chunk_));
  return page.header.type == PageHeader::kDataV2 ? OpenV2(page) : OpenV1(page);
}

Result<PageBody> PageOpener::OpenV1(const Page& page) {
  PageBody body;
  ROWFEED_ASSIGN_OR_RETURN(body.values,
                           Decompress(page.body, page.header.uncompressed_size));
  if (storage_.max_repetition_level() > 0) {
    ROWFEED_ASSIGN_OR_RETURN(body.repetition_levels, TakeLevels(&body.values));
  }
  if (storage_.max_definition_level > 0) {
    ROWFEED_ASSIGN_OR_RETURN(body.definition_levels, TakeLevels(&body.values));
  }
  return body;
}

Result<PageBody> PageOpener::OpenV2(const Page& page) {
  const PageHeader& header = page.header;
  PageBody body;  // ReadPageHeader checked that the levels fit
  body.repetition_levels = page.body.first(header.repetition_levels_size);
  body.definition_levels =
      page.body.subspan(header.repetition_levels_size, header.definition_levels_size);
  const int64_t levels_size =
      int64_t{header.repetition_levels_size} + header.definition_levels_size;
  const Bytes stored = page.body.subspan(levels_size);
  const int64_t size = header.uncompressed_size - levels_size;
  // Arrow's writer before version 3 marks pages as not compressed that it did compress:
  // their sizes differ.
  const bool is_compressed = header.is_compressed || std::ssize(stored) != size;
  ROWFEED_ASSIGN_OR_RETURN(body.values, Decompress(stored, size, is_compressed));
  return body;
}

Result<Bytes> PageOpener::OpenDictionary(const Page& page, int64_t spare) {
  if (verified_chunk_) ROWFEED_RETURN_NOT_OK(VerifyPage(page, *verified_chunk_));
  if (codec_ != nullptr) {
    ROWFEED_RETURN_NOT_OK(Reserve(page.header.uncompressed_size + spare));
  }
  ROWFEED_ASSIGN_OR_RETURN(const Bytes values,
                           Decompress(page.body, page.header.uncompressed_size));
  if (codec_ != nullptr || spare == 0) return values;
  ROWFEED_RETURN_NOT_OK(Reserve(values.size() + spare));
  std::memcpy(scratch_.data(), values.data(), values.size());
  return Bytes(scratch_.data(), values.size());
}

}  // namespace rowfeed
