// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_BOUND_ORDER_H_
#define ROWFEED_CORE_FILTER_BOUNDS_BOUND_ORDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "parquet/schema.h"

namespace rowfeed {

// Decodes the bounds of one column (least and greatest values as a file states them)
// and compares them in the order that the Parquet format defines for the column's type.
class BoundOrder {
 public:
  // A decoded bound. Keys of one column all have the same type, and `<` compares them
  // in the format's order; -0 and +0 are equal.
  using Key = std::variant<int64_t, double, std::string>;

  explicit BoundOrder(const parquet::ColumnDescriptor& column);

  // False if Parquet defines no order for the column's type (geometries, INT96,
  // intervals, unknown types), or if the footer does not say that the bounds use that
  // order. Then the writer may have compared the values in any way.
  bool is_defined() const { return is_defined_; }
  // Whether bounds are bytes of any length, so that a writer may have stored only the
  // first bytes of a value.
  bool may_be_cut() const;

  // Decodes a bound. nullopt: the bytes are no value of the column, as they have a
  // wrong length or a number that its logical type does not allow.
  std::optional<Key> KeyOf(const std::string& bound) const;

  static bool IsNaN(const Key& key);

 private:
  std::optional<Key> IntegerOf(int64_t value) const;
  std::optional<Key> BytesOf(const std::string& bound) const;

  parquet::Type::type physical_;
  int type_length_;  // bytes of a value of a fixed-length byte array
  bool is_decimal_;
  bool is_half_;
  bool is_defined_;
  bool is_unsigned_ = false;
  // The least and the greatest integer that the logical type allows.
  int64_t least_;
  int64_t greatest_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_BOUND_ORDER_H_
