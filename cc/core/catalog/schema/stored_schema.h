// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_STORED_SCHEMA_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_STORED_SCHEMA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// Reads the Arrow schema that writers store in a file's metadata field by field. Arrow
// itself reads the whole schema or, if it does not know the type of a single field,
// nothing.
class StoredSchema {
 public:
  // Opens the schema in `encoded`, the file's metadata value "ARROW:schema" (base64).
  // Returns nullopt if it is no schema of `num_fields` top-level fields.
  static std::optional<StoredSchema> Open(const std::string& encoded, int num_fields);

  // Returns a schema whose only field is top-level field `i`, in the encoding of
  // "ARROW:schema". If Arrow cannot read the field, the error says why.
  Result<std::string> FieldAlone(int i) const;

 private:
  StoredSchema(std::string message, uint32_t fields)
      : message_(std::move(message)), fields_(fields) {}

  // The schema as a message in Arrow's IPC format: a prefix, then a flatbuffer.
  std::string message_;
  // Byte position in message_ of the flatbuffer's vector of fields. The vector is its
  // length, then one offset per top-level field, each of four bytes.
  uint32_t fields_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_STORED_SCHEMA_H_
