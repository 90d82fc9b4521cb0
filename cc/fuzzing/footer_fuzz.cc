// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Reads a footer, then its schema and its column chunks. Input: the bytes of the
// footer, without its length and the magic word behind it.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/catalog/chunks.h"
#include "core/catalog/footer.h"
#include "core/catalog/schema/schema.h"
#include "core/wire.h"
#include "testing/chunk_fixture.h"

namespace rowfeed {
namespace {

std::string FileWith(std::string_view footer) {
  constexpr size_t kDataBytes = 4096;  // The chunks lie in this part.
  std::string file = "PAR1" + std::string(kDataBytes, '\0');
  file += footer;
  const auto size = static_cast<uint32_t>(footer.size());
  for (int shift = 0; shift < 32; shift += 8) {
    file += static_cast<char>(size >> shift & 0xff);
  }
  return file + "PAR1";
}

void Read(std::string_view footer) {
  const testing::MemoryFile file(FileWith(footer));
  const auto read = ReadFooter(file);
  if (!read.ok()) return;
  const auto columns = ReadSchema(*read->metadata);
  if (!columns.ok()) return;
  CatalogFile info;
  info.size = file.size();
  (void)ReadChunks(*read->metadata, info, *columns);
}

}  // namespace
}  // namespace rowfeed

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rowfeed::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
