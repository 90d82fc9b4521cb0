// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUND_ORDER_H_
#define ROWFEED_CORE_FILTER_BOUND_ORDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "parquet/schema.h"

namespace rowfeed {

// How the bounds of one column are coded, and which of two is the lesser.
class BoundOrder {
 public:
  // A bound that compares as the format orders it; of one column all have one type. -0
  // and +0 are equal.
  using Key = std::variant<int64_t, double, std::string>;

  explicit BoundOrder(const parquet::ColumnDescriptor& column);

  // False where the format does not define the order of the type (geometries, INT96,
  // intervals, types that are not known here), or the footer does not say that the
  // bounds have that order: they may have been compared in any way.
  bool is_defined() const { return is_defined_; }
  // Whether bounds are bytes of any length, of which a writer may keep the first ones.
  bool may_be_cut() const;

  // nullopt: the bytes are not a value of the column: they have another length, or the
  // number is outside of what its logical type holds.
  std::optional<Key> KeyOf(const std::string& bound) const;

  static bool IsNaN(const Key& key);

 private:
  std::optional<Key> IntegerOf(int64_t value) const;
  std::optional<Key> BytesOf(const std::string& bound) const;

  parquet::Type::type physical_;
  int type_length_;  // of fixed-length byte arrays
  bool is_decimal_;
  bool is_half_;
  bool is_defined_;
  bool is_unsigned_ = false;
  // Bounds of integers, both included.
  int64_t least_;
  int64_t greatest_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUND_ORDER_H_
