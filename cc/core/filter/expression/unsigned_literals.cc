// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/unsigned_literals.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/compute/cast.h"
#include "arrow/scalar.h"
#include "arrow/type.h"

namespace rowfeed {
namespace {

using arrow::compute::Expression;

bool Compares(std::string_view function) {
  constexpr std::array<std::string_view, 6> kComparisons{
      "equal", "not_equal", "less", "less_equal", "greater", "greater_equal"};
  return std::find(kComparisons.begin(), kComparisons.end(), function) !=
         kComparisons.end();
}

bool IsUint64(const Expression& expression, const arrow::Schema& schema) {
  const arrow::FieldRef* ref = expression.field_ref();
  if (ref == nullptr) return false;
  const auto field = schema.GetFieldByName(*ref->name());
  return field != nullptr && field->type()->id() == arrow::Type::UINT64;
}

}  // namespace

Result<Expression> WithUnsignedLiterals(const Expression& expression,
                                        const arrow::Schema& schema) {
  const Expression::Call* call = expression.call();
  if (call == nullptr) return expression;
  std::vector<Expression> arguments;
  for (const Expression& argument : call->arguments) {
    ROWFEED_ASSIGN_OR_RETURN(Expression same, WithUnsignedLiterals(argument, schema));
    arguments.push_back(std::move(same));
  }
  for (size_t side = 0; Compares(call->function_name) && side < arguments.size();
       ++side) {
    const arrow::Datum* value = arguments[side].literal();
    if (value == nullptr || !value->is_scalar() ||
        !arrow::is_integer(value->type()->id()) ||
        !IsUint64(arguments[1 - side], schema)) {
      continue;
    }
    const auto cast = arrow::compute::Cast(*value, arrow::uint64());
    if (cast.ok()) arguments[side] = arrow::compute::literal(*cast);
  }
  return arrow::compute::call(call->function_name, std::move(arguments), call->options);
}

}  // namespace rowfeed
