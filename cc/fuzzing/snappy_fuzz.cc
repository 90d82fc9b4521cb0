// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Decompresses a Snappy stream by rowfeed and by Arrow's codec. Input: the size of the
// output, then the stream. Both must give the same bytes, or both an error.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "arrow/util/compression.h"
#include "core/decode/pages/snappy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kHeader = 2;
  if (size <= kHeader) return -1;
  static const auto codec =
      arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
  const std::vector<uint8_t> stream(data + kHeader, data + size);
  const size_t out_size = data[0] | data[1] << 8;
  std::vector<uint8_t> ours(out_size), arrows(out_size);
  const bool is_ours = rowfeed::DecompressSnappy(stream, ours).ok();
  const auto found =
      codec->Decompress(static_cast<int64_t>(stream.size()), stream.data(),
                        static_cast<int64_t>(out_size), arrows.data());
  const bool is_arrows = found.ok() && *found == static_cast<int64_t>(out_size);
  if (is_ours != is_arrows || (is_ours && ours != arrows)) std::abort();
  return 0;
}
