// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_header.h"

#include "core/thrift_reader.h"

namespace rowfeed {
namespace {

using ThriftField = ThriftReader::Field;

// Reads the i32 fields of one struct: the field with id i goes to places[i - 1]. Fields
// without a place, or with nullptr there, are skipped. Field 7, a bool, goes to
// `is_compressed` if given. Fails if one of the first `num_required` places that are
// not nullptr gets no value.
template <size_t kSize>
void ReadI32Fields(ThriftReader* reader, int32_t* const (&places)[kSize],
                   int num_required, bool* is_compressed = nullptr) {
  uint32_t seen = 0;
  for (ThriftField field; reader->NextField(&field);) {
    const bool known = field.id >= 1 && field.id <= static_cast<int16_t>(kSize);
    if (known && places[field.id - 1] != nullptr) {
      *places[field.id - 1] = reader->ReadI32(field);
      seen |= 1u << (field.id - 1);
    } else if (field.id == 7 && is_compressed != nullptr) {
      *is_compressed = reader->ReadBool(field);
    } else {
      reader->Skip(field);
    }
  }
  uint32_t required = 0;
  for (int i = 0; i < num_required; ++i) {
    if (places[i] != nullptr) required |= 1u << i;
  }
  if ((seen & required) != required) reader->Fail();
}

// Reads the struct that describes one kind of page: the format's DataPageHeader,
// DictionaryPageHeader or DataPageHeaderV2.
void ReadKind(ThriftReader* reader, int32_t type, PageHeader* header) {
  switch (type) {
    case PageHeader::kData: {
      int32_t* const places[] = {&header->num_values, &header->encoding,
                                 &header->definition_level_encoding,
                                 &header->repetition_level_encoding};
      return ReadI32Fields(reader, places, 4);
    }
    case PageHeader::kDictionary: {
      int32_t* const places[] = {&header->num_values, &header->encoding};
      return ReadI32Fields(reader, places, 2);
    }
    default: {
      int32_t* const places[] = {&header->num_values,
                                 /*num_nulls=*/nullptr,
                                 /*num_rows=*/nullptr,
                                 &header->encoding,
                                 &header->definition_levels_size,
                                 &header->repetition_levels_size};
      return ReadI32Fields(reader, places, 6, &header->is_compressed);
    }
  }
}

// Returns the id of the field of the format's PageHeader that holds the struct for a
// page type; 0 for types whose struct does not matter.
int KindField(int32_t type) {
  switch (type) {
    case PageHeader::kData:
      return 5;
    case PageHeader::kDictionary:
      return 7;
    case PageHeader::kDataV2:
      return 8;
    default:
      return 0;
  }
}

bool SizesAreValid(const PageHeader& header) {
  if (header.compressed_size < 0 || header.uncompressed_size < 0 ||
      header.num_values < 0) {
    return false;
  }
  if (header.type != PageHeader::kDataV2) return true;
  const int64_t levels_size = static_cast<int64_t>(header.definition_levels_size) +
                              header.repetition_levels_size;
  return header.definition_levels_size >= 0 && header.repetition_levels_size >= 0 &&
         levels_size <= header.compressed_size &&
         levels_size <= header.uncompressed_size;
}

}  // namespace

Result<int64_t> ReadPageHeader(const uint8_t* data, int64_t size, PageHeader* header) {
  *header = PageHeader();
  ThriftReader reader(data, size);
  uint32_t seen = 0;  // bit i is set once field i (1 to 3) was found
  int read_kind = 0;
  for (ThriftField field; reader.NextField(&field);) {
    if (field.id >= 1 && field.id <= 3) seen |= 1u << field.id;
    if (field.id == 1) {
      header->type = reader.ReadI32(field);
    } else if (field.id == 2) {
      header->uncompressed_size = reader.ReadI32(field);
    } else if (field.id == 3) {
      header->compressed_size = reader.ReadI32(field);
    } else if (field.id == 4) {
      header->checksum = reader.ReadI32(field);
    } else if ((seen & 2) != 0 && field.id >= 5 &&
               field.id == KindField(header->type)) {
      // Fields are written in the order of their ids, so the type is known by now.
      if (reader.EnterStruct(field)) ReadKind(&reader, header->type, header);
      read_kind = field.id;
    } else {
      reader.Skip(field);
    }
  }
  const bool is_whole = seen == 0b1110 && read_kind == KindField(header->type);
  if (!reader.ok() || !is_whole || !SizesAreValid(*header)) {
    return Status::Corrupt("the page header is damaged");
  }
  return reader.consumed();
}

}  // namespace rowfeed
