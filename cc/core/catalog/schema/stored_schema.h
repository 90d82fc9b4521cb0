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
  // `encoded` is the value of "ARROW:schema". nullopt unless it is a schema of
  // `num_fields` fields.
  static std::optional<StoredSchema> Open(const std::string& encoded, int num_fields);

  // Returns a schema with field `i` alone, encoded like the whole; an error says why
  // Arrow cannot read the field.
  Result<std::string> FieldAlone(int i) const;

 private:
  StoredSchema(std::string message, uint32_t fields)
      : message_(std::move(message)), fields_(fields) {}

  // A message in Arrow's IPC format: a prefix, then a flatbuffer.
  std::string message_;
  uint32_t fields_;  // position of the vector of fields, which begins with its length
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_STORED_SCHEMA_H_
