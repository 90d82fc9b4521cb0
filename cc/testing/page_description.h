// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_PAGE_DESCRIPTION_H_
#define ROWFEED_TESTING_PAGE_DESCRIPTION_H_

// For tests only: describes a page header, in the same words whether this reader or
// Arrow's has read it.

#include <cstdint>
#include <sstream>
#include <string>

#include "core/decode/pages/page_header.h"
#include "parquet/column_page.h"
#include "parquet/types.h"

namespace rowfeed::testing {

// Returns one number for all encodings that Arrow does not know, as Arrow does.
inline int32_t KnownEncoding(int32_t encoding) {
  constexpr int32_t kUnknown = parquet::Encoding::UNDEFINED;
  return encoding < 0 || encoding > kUnknown ? kUnknown : encoding;
}

// Describes a header, except for its compressed size, which Arrow does not tell.
inline std::string Describe(const PageHeader& header) {
  std::ostringstream out;
  out << "type " << header.type << ": " << header.num_values << " values of encoding "
      << KnownEncoding(header.encoding);
  if (!header.is_data()) return out.str();
  out << ", " << header.uncompressed_size << " bytes";
  if (header.type == PageHeader::kData) {
    out << ", definition levels of encoding "
        << KnownEncoding(header.definition_level_encoding)
        << ", repetition levels of encoding "
        << KnownEncoding(header.repetition_level_encoding);
  } else {
    out << ", " << header.definition_levels_size << " bytes of definition levels, "
        << header.repetition_levels_size << " bytes of repetition levels, "
        << (header.is_compressed ? "compressed" : "not compressed");
  }
  return out.str();
}

// Returns what Arrow's page reader tells of a header.
inline PageHeader HeaderOf(const parquet::Page& page) {
  PageHeader header;
  header.type = page.type();
  if (header.type == PageHeader::kDictionary) {
    const auto& dictionary = static_cast<const parquet::DictionaryPage&>(page);
    header.num_values = dictionary.num_values();
    header.encoding = dictionary.encoding();
    return header;
  }
  const auto& data = static_cast<const parquet::DataPage&>(page);
  header.uncompressed_size = static_cast<int32_t>(data.uncompressed_size());
  header.num_values = data.num_values();
  header.encoding = data.encoding();
  if (header.type == PageHeader::kData) {
    const auto& v1 = static_cast<const parquet::DataPageV1&>(page);
    header.definition_level_encoding = v1.definition_level_encoding();
    header.repetition_level_encoding = v1.repetition_level_encoding();
  } else {
    const auto& v2 = static_cast<const parquet::DataPageV2&>(page);
    header.definition_levels_size = v2.definition_levels_byte_length();
    header.repetition_levels_size = v2.repetition_levels_byte_length();
    header.is_compressed = v2.is_compressed();
  }
  return header;
}

inline std::string Describe(const parquet::Page& page) {
  return Describe(HeaderOf(page));
}

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_PAGE_DESCRIPTION_H_
