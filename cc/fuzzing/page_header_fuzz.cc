// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Reads a page header. It must not read beyond the bytes, which lie alone in memory.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/decode/pages/page_header.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> bytes(data, data + size);
  rowfeed::PageHeader header;
  const auto length = rowfeed::ReadPageHeader(
      bytes.data(), static_cast<int64_t>(bytes.size()), &header);
  if (!length.ok()) return 0;
  if (*length <= 0 || *length > static_cast<int64_t>(size)) std::abort();
  if (header.compressed_size < 0 || header.uncompressed_size < 0 ||
      header.num_values < 0 || header.definition_levels_size < 0 ||
      header.repetition_levels_size < 0) {
    std::abort();
  }
  return 0;
}
