// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_STORED_SCHEMA_H_
#define ROWFEED_CORE_CATALOG_STORED_SCHEMA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// The Arrow schema that writers keep in a file's metadata, field by field: Arrow itself
// reads all of it or, where it does not know the type of one field, nothing.
class StoredSchema {
 public:
  // `encoded` is the value of "ARROW:schema". nullopt unless it is the schema of
  // `num_fields` fields.
  static std::optional<StoredSchema> Open(const std::string& encoded, int num_fields);

  // The schema of field `i` alone, encoded like the whole; an error says why Arrow does
  // not read it.
  Result<std::string> FieldAlone(int i) const;

 private:
  StoredSchema(std::string message, uint32_t fields)
      : message_(std::move(message)), fields_(fields) {}

  std::string message_;  // of Arrow's IPC format: a flatbuffer and what precedes it
  uint32_t fields_;      // where the vector of fields begins, with its length
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_STORED_SCHEMA_H_
