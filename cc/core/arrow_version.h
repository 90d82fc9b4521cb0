// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// All that core has to know of the versions of Arrow that it is built with, 25 and 26.
#ifndef ROWFEED_CORE_ARROW_VERSION_H_
#define ROWFEED_CORE_ARROW_VERSION_H_

#include <cstdint>
#include <memory>

#include "arrow/util/config.h"
#include "parquet/metadata.h"
#include "parquet/properties.h"

namespace rowfeed {

#if ARROW_VERSION_MAJOR >= 26

// Whether the client for s3 is a library of its own, beside Arrow's.
inline constexpr bool kS3IsApart = true;

// Throws what Parquet throws. `length` is less than 2^32, as any footer's.
inline std::shared_ptr<parquet::FileMetaData> ParseFooter(
    const uint8_t* footer, int64_t length,
    const parquet::ReaderProperties& properties) {
  return parquet::FileMetaData::Make(footer, length, properties);
}

#else

inline constexpr bool kS3IsApart = false;

inline std::shared_ptr<parquet::FileMetaData> ParseFooter(
    const uint8_t* footer, int64_t length,
    const parquet::ReaderProperties& properties) {
  auto size = static_cast<uint32_t>(length);
  return parquet::FileMetaData::Make(footer, &size, properties);
}

#endif

}  // namespace rowfeed

#endif  // ROWFEED_CORE_ARROW_VERSION_H_
