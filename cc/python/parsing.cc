// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/parsing.h"

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>

namespace rowfeed {
namespace {

// The names of PartitionRule::From, in the order of its enumerators.
constexpr std::array kPlaces = {"nowhere", "listed", "listed_each", "base"};

}  // namespace

DType ParseDType(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(DType::kBFloat16); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (name == DTypeName(dtype)) return dtype;
  }
  throw pybind11::value_error("no such dtype: " + name);
}

PartitionRule ParseRule(const RuleTuple& rule) {
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    if (rule.first != kPlaces[i]) continue;
    return {static_cast<PartitionRule::From>(i), rule.second};
  }
  throw pybind11::value_error("partitions are from no such place: " + rule.first);
}

}  // namespace rowfeed
