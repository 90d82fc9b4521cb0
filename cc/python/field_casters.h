// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_FIELD_CASTERS_H_
#define ROWFEED_PYTHON_FIELD_CASTERS_H_

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/catalog/listing/partition_rule.h"
#include "core/catalog/partition.h"
#include "core/catalog/schema/dtypes.h"
#include "core/enum_table.h"
#include "core/fields.h"
#include "core/stream/options/options.h"
#include "python/status_caster.h"

namespace pybind11::detail {

// Casts an enumerator to its name, a str, and back. An unknown name is a ValueError.
template <typename T>
struct type_caster_enum_type_enabled<T, std::enable_if_t<rowfeed::kHasEnumTable<T>>>
    : std::false_type {};

template <typename T>
struct type_caster<T, std::enable_if_t<rowfeed::kHasEnumTable<T>>> {
  PYBIND11_TYPE_CASTER(T, const_name("str"));

  type_caster() : value() {}
  bool load(handle source, bool convert) {
    make_caster<std::string> name;
    if (!name.load(source, convert)) return false;
    const rowfeed::Result<T> parsed =
        rowfeed::ParseEnumerator<T>(cast_op<std::string&>(name));
    if (!parsed.ok()) rowfeed::RaiseStatus(parsed.status());
    value = *parsed;
    return true;
  }
  static handle cast(T enumerator, return_value_policy, handle) {
    return str(rowfeed::NameOf(enumerator)).release();
  }
};

// Casts a struct to a tuple of its fields, in their order, and back.
template <typename T>
struct FieldTupleCaster {
  PYBIND11_TYPE_CASTER(T, const_name("tuple"));

  bool load(handle source, bool convert) {
    if (!isinstance<tuple>(source)) return false;
    const auto given = reinterpret_borrow<tuple>(source);
    if (given.size() != std::tuple_size_v<decltype(T::Fields())>) return false;
    size_t index = 0;
    bool is_loaded = true;
    rowfeed::VisitFields(value, [&](const auto& /*field*/, auto& part) {
      using Part = std::decay_t<decltype(part)>;
      make_caster<Part> caster;
      is_loaded = is_loaded && caster.load(given[index++], convert);
      if (is_loaded) part = cast_op<Part&&>(std::move(caster));
    });
    return is_loaded;
  }
  static handle cast(const T& object, return_value_policy, handle) {
    tuple parts(std::tuple_size_v<decltype(T::Fields())>);
    size_t index = 0;
    rowfeed::VisitFields(object, [&](const auto& /*field*/, const auto& part) {
      parts[index++] = pybind11::cast(part);
    });
    return parts.release();
  }
};

template <>
struct type_caster<rowfeed::PartitionRule> : FieldTupleCaster<rowfeed::PartitionRule> {
};
template <>
struct type_caster<rowfeed::PartitionType> : FieldTupleCaster<rowfeed::PartitionType> {
};
template <>
struct type_caster<rowfeed::GrowthOptions> : FieldTupleCaster<rowfeed::GrowthOptions> {
};

}  // namespace pybind11::detail

#endif  // ROWFEED_PYTHON_FIELD_CASTERS_H_
