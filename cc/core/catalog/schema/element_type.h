// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_ELEMENT_TYPE_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_ELEMENT_TYPE_H_

#include <memory>
#include <optional>
#include <string>

#include "arrow/type.h"
#include "core/catalog/schema/column.h"

namespace rowfeed {

// How tensors hold the values of an Arrow type.
struct Element {
  DType dtype;
  std::string unit;  // see Column::unit
};

// Returns the element of an Arrow type. nullopt for lists, fixed-size binaries, and
// types that no tensor holds.
std::optional<Element> ElementOf(const arrow::DataType& type);

// Returns the type of the values: the storage type of an extension type, and the value
// type of a dictionary type.
std::shared_ptr<arrow::DataType> ValueType(std::shared_ptr<arrow::DataType> type);

// Returns a plural such as "structs" or "maps" for the messages "… are not supported"
// and "lists of … are not supported".
std::string PluralOf(const arrow::DataType& type);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_ELEMENT_TYPE_H_
