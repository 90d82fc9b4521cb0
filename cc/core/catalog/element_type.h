// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_ELEMENT_TYPE_H_
#define ROWFEED_CORE_CATALOG_ELEMENT_TYPE_H_

#include <memory>
#include <optional>
#include <string>

#include "arrow/type.h"
#include "core/catalog/column.h"

namespace rowfeed {

// An Arrow type of single values, as tensors hold it.
struct Element {
  DType dtype;
  std::string unit;  // of Column
};

// nullopt for lists, fixed-size binaries, and what no tensor holds.
std::optional<Element> ElementOf(const arrow::DataType& type);

// What lies below extension and dictionary types.
std::shared_ptr<arrow::DataType> ValueType(std::shared_ptr<arrow::DataType> type);

// "structs", "maps": for "… are not supported" and "lists of … are not supported".
std::string PluralOf(const arrow::DataType& type);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_ELEMENT_TYPE_H_
