// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// All differences between the versions of Arrow that core is built with, 25 and 26.
#ifndef ROWFEED_CORE_ARROW_VERSION_H_
#define ROWFEED_CORE_ARROW_VERSION_H_

#include <cstdint>
#include <memory>

#include "arrow/util/config.h"
#include "parquet/metadata.h"
#include "parquet/properties.h"

namespace rowfeed {

#if ARROW_VERSION_MAJOR >= 26

// Whether Arrow's client for s3 is a library of its own, beside Arrow's main library.
inline constexpr bool kS3IsApart = true;

// Parses a footer. `length` must be less than 2^32, as that of any footer is. May
// throw, as all code that calls Arrow's Parquet library may.
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
