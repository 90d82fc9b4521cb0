// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/decimal_literals.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/compute/cast.h"
#include "arrow/type.h"
#include "core/arrow_status.h"

namespace rowfeed {
namespace {

using arrow::compute::Expression;

constexpr int kMaxIntegerDigits = 20;  // digits of the greatest uint64

bool TakesNumbers(std::string_view function) {
  constexpr std::array<std::string_view, 14> kFunctions{"equal",
                                                        "not_equal",
                                                        "less",
                                                        "less_equal",
                                                        "greater",
                                                        "add",
                                                        "add_checked",
                                                        "subtract",
                                                        "subtract_checked",
                                                        "greater_equal",
                                                        "multiply",
                                                        "divide",
                                                        "multiply_checked",
                                                        "divide_checked"};
  return std::find(kFunctions.begin(), kFunctions.end(), function) != kFunctions.end();
}

bool HasDecimals(const Expression& expression, const arrow::Schema& schema) {
  const auto fields = arrow::compute::FieldsInExpression(expression);
  return std::any_of(fields.begin(), fields.end(), [&](const arrow::FieldRef& ref) {
    const auto field = schema.GetFieldByName(*ref.name());
    return field != nullptr && arrow::is_decimal(field->type()->id());
  });
}

}  // namespace

Result<Expression> WithDecimalLiterals(const Expression& expression,
                                       const arrow::Schema& schema) {
  const Expression::Call* call = expression.call();
  if (call == nullptr || !HasDecimals(expression, schema)) return expression;
  const bool takes_numbers = TakesNumbers(call->function_name);
  std::vector<Expression> arguments;
  for (const Expression& argument : call->arguments) {
    const arrow::Datum* value = argument.literal();
    if (takes_numbers && value != nullptr && arrow::is_integer(value->type()->id())) {
      ROWFEED_ARROW_ASSIGN_OR_RETURN(
          arrow::Datum decimal,
          arrow::compute::Cast(*value, arrow::decimal256(kMaxIntegerDigits, 0)));
      arguments.push_back(arrow::compute::literal(std::move(decimal)));
    } else {
      ROWFEED_ASSIGN_OR_RETURN(Expression same, WithDecimalLiterals(argument, schema));
      arguments.push_back(std::move(same));
    }
  }
  return arrow::compute::call(call->function_name, std::move(arguments), call->options);
}

}  // namespace rowfeed
