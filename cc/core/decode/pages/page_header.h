// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_HEADER_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_HEADER_H_

#include <cstdint>
#include <optional>

#include "core/status.h"

namespace rowfeed {

// What a Parquet page says of itself. Enumerators are those of the format; sizes and
// counts are never negative. Unknown types and encodings are kept as they are.
struct PageHeader {
  enum Type : int32_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3 };
  // Only those that the reader has to tell apart.
  enum Encoding : int32_t {
    kPlain = 0,
    kPlainDictionary = 2,
    kRle = 3,
    kRleDictionary = 8,
  };

  int32_t type = 0;
  int32_t compressed_size = 0;      // bytes that follow the header
  int32_t uncompressed_size = 0;    // v2: levels included
  int32_t num_values = 0;           // v1 and v2: nulls and empty lists included
  std::optional<int32_t> checksum;  // CRC32 of the bytes that follow, if it was written
  int32_t encoding = 0;             // of the values

  int32_t definition_level_encoding = kRle;  // v1; always kRle in v2
  int32_t repetition_level_encoding = kRle;
  // Only v2 has the fields below. Its counts of nulls and rows are left out: writers
  // give them wrong, and the levels tell both.
  int32_t definition_levels_size = 0;  // bytes
  int32_t repetition_levels_size = 0;
  bool is_compressed = true;

  bool is_data() const { return type == kData || type == kDataV2; }
  bool is_dictionary_coded() const {
    return encoding == kPlainDictionary || encoding == kRleDictionary;
  }
};

// Reads the header (Thrift compact protocol) at data[0, size) and returns its length in
// bytes. Never reads beyond `size`; kCorrupt for anything that is not a page header.
Result<int64_t> ReadPageHeader(const uint8_t* data, int64_t size, PageHeader* header);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_HEADER_H_
