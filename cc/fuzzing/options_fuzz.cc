// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Parses the options of a stream, as graphs and pickles hold them.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/stream/options/options.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using rowfeed::StreamOptions;
  const auto options =
      StreamOptions::Parse({reinterpret_cast<const char*>(data), size});
  if (!options.ok()) return 0;
  const std::string saved = options->Serialize();
  const auto again = StreamOptions::Parse(saved);
  if (!again.ok() || again->Serialize() != saved) std::abort();
  return 0;
}
