// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FIELDS_H_
#define ROWFEED_CORE_FIELDS_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/status.h"

namespace rowfeed {

// What kind of option a field is.
enum class FieldRole : uint8_t {
  kPlain,     // an option that the user gives, and that may change between runs
  kOrder,     // an option that decides the order of rows; if it is a struct, all of it
  kInternal,  // not an option of the user: rowfeed sets the field itself
};

// Declares one field of a struct of options. The struct lists all of its fields in one
// place, a static function Fields() that returns a tuple of Field:
//
//   struct OrderOptions {
//     int64_t num_lanes = 1;
//     static constexpr auto Fields() {
//       return std::tuple(Field{"num_lanes", &OrderOptions::num_lanes}.AtLeast(1));
//     }
//   };
//
// The list is all that the codec (field_codec.h), the check of ranges (CheckFields),
// the Python class (python/field_binding.h) and the comparison of orders
// (stream/options/order_identity.h) know of the struct.
template <typename S, typename T, FieldRole R = FieldRole::kPlain>
struct Field {
  using Type = T;
  static constexpr FieldRole kRole = R;

  // The field, an integer, must be in [least, most].
  constexpr Field In(int64_t least, int64_t most) const {
    return {name, member, least, most, unset};
  }
  // The field, an integer, must be >= least.
  constexpr Field AtLeast(int64_t least) const {
    return {name, member, least, high, unset};
  }
  // The field, an integer, may also be `value`, which lies outside of its range and
  // means that the option is not given.
  constexpr Field OrUnset(int64_t value) const {
    return {name, member, low, high, value};
  }
  // The same field with another role.
  constexpr Field<S, T, FieldRole::kOrder> OfOrder() const {
    return {name, member, low, high, unset};
  }
  constexpr Field<S, T, FieldRole::kInternal> Internal() const {
    return {name, member, low, high, unset};
  }

  const char* name;
  T S::* member;
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();
  std::optional<int64_t> unset = std::nullopt;
};

template <typename S, typename T>
Field(const char*, T S::*) -> Field<S, T>;

// Whether T is a struct that lists its fields.
template <typename T, typename = void>
inline constexpr bool kHasFields = false;
template <typename T>
inline constexpr bool kHasFields<T, std::void_t<decltype(T::Fields())>> = true;

// Calls visit(field, value) for each field of `object` in the order of the list;
// `value` is a reference to the member, const if `object` is.
template <typename T, typename Visitor>
void VisitFields(T& object, Visitor&& visit) {
  std::apply(
      [&](const auto&... fields) { (visit(fields, object.*(fields.member)), ...); },
      std::remove_const_t<T>::Fields());
}

namespace internal {

template <typename F>
Status CheckInteger(const F& field, int64_t value) {
  if ((value >= field.low && value <= field.high) || field.unset == value) {
    return {};
  }
  if (field.high == std::numeric_limits<int64_t>::max()) {
    return Status::Invalid(field.name, " must be >= ", field.low, ", not ", value);
  }
  return Status::Invalid(field.name, " must be in [", field.low, ", ", field.high,
                         "], not ", value);
}

}  // namespace internal

// Checks that each integer of `object` is in the range of its field. The error,
// kInvalid, names the first that is not. A field that is a struct is not checked: it
// has a Validate of its own.
template <typename T>
Status CheckFields(const T& object) {
  Status status;
  VisitFields(object, [&](const auto& field, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if (!status.ok()) return;
    if constexpr (std::is_same_v<Value, int64_t> || std::is_same_v<Value, int>) {
      status = internal::CheckInteger(field, value);
    } else if constexpr (std::is_same_v<Value, std::optional<int64_t>>) {
      if (value) status = internal::CheckInteger(field, *value);
    }
  });
  return status;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FIELDS_H_
