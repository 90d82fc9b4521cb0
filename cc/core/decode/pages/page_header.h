// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_HEADER_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_HEADER_H_

#include <cstdint>
#include <optional>

#include "core/status.h"

namespace rowfeed {

// The header of a Parquet page. Enumerators have the values of the format; sizes and
// counts are never negative. Unknown types and encodings are kept as the file has them.
struct PageHeader {
  enum Type : int32_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3 };
  // The format has more encodings; here are those that the reader has to tell apart.
  enum Encoding : int32_t {
    kPlain = 0,
    kPlainDictionary = 2,
    kRle = 3,
    kRleDictionary = 8,
  };

  int32_t type = 0;
  int32_t compressed_size = 0;    // bytes of the body as stored
  int32_t uncompressed_size = 0;  // bytes of the body, decompressed; in v2 with levels
  int32_t num_values = 0;         // number of values, nulls and empty lists included
  // CRC32 of the body as stored; nullopt if the writer left it out.
  std::optional<int32_t> checksum;
  int32_t encoding = 0;  // encoding of the values

  int32_t definition_level_encoding = kRle;  // always kRle in v2
  int32_t repetition_level_encoding = kRle;
  // Only v2 pages have the fields below. A v2 header also has counts of nulls and rows.
  // They are left out here: some writers give them wrong, and the levels tell both.
  int32_t definition_levels_size = 0;  // bytes of these levels in the body
  int32_t repetition_levels_size = 0;  // bytes of these levels in the body
  bool is_compressed = true;

  bool is_data() const { return type == kData || type == kDataV2; }
  bool is_dictionary_coded() const {
    return encoding == kPlainDictionary || encoding == kRleDictionary;
  }
};

// Reads a page header (Thrift compact protocol) from data[0, size) and returns its
// length in bytes. Never reads beyond `size`; returns kCorrupt for anything that is not
// a whole page header.
Result<int64_t> ReadPageHeader(const uint8_t* data, int64_t size, PageHeader* header);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_HEADER_H_
