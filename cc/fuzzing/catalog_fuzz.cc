// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Parses a saved catalog. Input: its bytes, whose checksum is made right first, as else
// nothing behind it would be reached.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/catalog/catalog.h"
#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using rowfeed::Catalog;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  // A magic word, a version, a checksum of the rest, and the rest.
  constexpr size_t kChecksum = 6 + sizeof(uint16_t),
                   kRest = kChecksum + sizeof(uint64_t);
  if (size < kRest) return -1;
  const uint64_t checksum = XXH3_64bits(bytes.data() + kRest, size - kRest);
  std::memcpy(bytes.data() + kChecksum, &checksum, sizeof(checksum));
  const auto catalog = Catalog::Parse(bytes);
  if (!catalog.ok()) return 0;
  const std::string saved = (*catalog)->Serialize();
  const auto again = Catalog::Parse(saved);
  if (!again.ok() || (*again)->Serialize() != saved) std::abort();
  if ((*again)->fingerprint() != (*catalog)->fingerprint()) std::abort();
  return 0;
}
