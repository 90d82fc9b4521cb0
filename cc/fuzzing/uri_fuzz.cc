// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Parses a URI, writes it again, and takes its secrets out.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/io/uri.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rowfeed;
  const std::string text(reinterpret_cast<const char*>(data), size);
  (void)ShownPath(text);
  (void)WithLiteralPath(text);
  const auto uri = ParseUri(text);
  if (!uri.ok()) return 0;
  // What the client gets names the same bucket.
  const auto again = ParseUri(uri->ForClient());
  if (!again.ok()) std::abort();
  if (again->scheme != uri->scheme || again->authority != uri->authority) std::abort();
  const std::string shown = uri->Shown("");
  for (const std::string& secret : {uri->secret_query, uri->secret_user}) {
    if (secret.size() > 12 && shown.find(secret) != std::string::npos) std::abort();
  }
  return 0;
}
