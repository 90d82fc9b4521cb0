// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SURVIVORS_CODEC_H_
#define ROWFEED_CORE_FILTER_SURVIVORS_CODEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/catalog/catalog.h"
#include "core/filter/survivors.h"

namespace rowfeed {

// Converts the survivors of one filter over one catalog to bytes and back, to send them
// to other processes or to keep them.
class SurvivorsCodec {
 public:
  // `catalog` must outlive the codec.
  SurvivorsCodec(const Catalog& catalog, std::string_view filter, int64_t block_rows);

  // Digest (32 hexadecimal digits) of the catalog, the filter and block_rows.
  const std::string& key() const { return key_; }

  // Returns a size that what Serialize writes does not exceed.
  int64_t MostBytes() const;
  std::string Serialize(const Survivors& survivors) const;
  // Parses bytes of any origin. nullopt: they are damaged, or have another key.
  std::optional<Survivors> Parse(std::string_view bytes) const;

 private:
  const Catalog* const catalog_;
  const int64_t block_rows_;
  const std::string key_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SURVIVORS_CODEC_H_
