// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_FIELD_BINDING_H_
#define ROWFEED_PYTHON_FIELD_BINDING_H_

#include <pybind11/pybind11.h>

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/enum_table.h"
#include "core/fields.h"
#include "python/field_casters.h"

namespace rowfeed {

// Whether fields of this type, numbers and enumerators, become attributes in Python.
template <typename T>
inline constexpr bool kIsAttribute = std::is_arithmetic_v<T> || kHasEnumTable<T>;
template <typename T>
inline constexpr bool kIsAttribute<std::optional<T>> = kIsAttribute<T>;

namespace internal {

template <typename Options, typename... Fields>
void BindConstructor(pybind11::class_<Options>* bound, const Fields&... fields) {
  bound->def(pybind11::init([fields...](typename Fields::Type... values) {
               Options options;
               ((options.*(fields.member) = std::move(values)), ...);
               return options;
             }),
             pybind11::kw_only(), pybind11::arg(fields.name)...);
}

}  // namespace internal

// Gives the class of a struct of options its constructor, which takes each field that
// is not internal as a keyword, and a read-only attribute for each number and
// enumerator.
template <typename Options>
void BindFields(pybind11::class_<Options>* bound) {
  const auto keyword = [](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (Field::kRole == FieldRole::kInternal) {
      return std::tuple();
    } else {
      return std::tuple(field);
    }
  };
  const auto keywords = std::apply(
      [&](const auto&... fields) { return std::tuple_cat(keyword(fields)...); },
      Options::Fields());
  std::apply(
      [&](const auto&... fields) {
        internal::BindConstructor(bound, fields...);
        const auto attribute = [&](const auto& field) {
          if constexpr (kIsAttribute<typename std::decay_t<decltype(field)>::Type>) {
            bound->def_readonly(field.name, field.member);
          }
        };
        (attribute(fields), ...);
      },
      keywords);
}

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_FIELD_BINDING_H_
