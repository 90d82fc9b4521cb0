// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/simplify.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "arrow/compute/api_scalar.h"
#include "arrow/compute/cast.h"
#include "arrow/compute/exec.h"
#include "arrow/datum.h"
#include "arrow/scalar.h"
#include "arrow/type.h"

namespace rowfeed {
namespace {

using arrow::Datum;
using arrow::compute::Expression;

// Whether one of the values is NaN. True also if Arrow cannot tell.
bool HasNaN(const Datum& values) {
  if (!arrow::is_floating(values.type()->id())) return false;
  auto found = arrow::compute::CallFunction("is_nan", {values});
  if (found.ok() && !found->is_scalar()) {
    found = arrow::compute::CallFunction("any", {*found});
  }
  if (!found.ok()) return true;
  const auto& any = found->scalar_as<arrow::BooleanScalar>();
  return any.is_valid && any.value;
}

bool HoldsAll(const arrow::DataType& integer, const arrow::DataType& of) {
  const int spare = integer.bit_width() - of.bit_width();
  const bool is_signed = arrow::is_signed_integer(integer.id());
  if (is_signed == arrow::is_signed_integer(of.id())) return spare >= 0;
  return is_signed && spare > 0;
}

// Whether the call is a cast that may change numbers. A cast of integers to double is
// not counted: bounds that a double cannot hold are no guarantee (see Simplify).
bool ChangesNumbers(const Expression::Call& call) {
  const auto* cast =
      dynamic_cast<const arrow::compute::CastOptions*>(call.options.get());
  if (cast == nullptr) return false;
  const arrow::DataType& from = *call.arguments[0].type();
  const arrow::DataType& to = *call.type.type;
  if (arrow::is_floating(from.id()) && arrow::is_floating(to.id())) {
    return to.bit_width() < from.bit_width();
  }
  if (!arrow::is_integer(from.id())) return false;
  if (arrow::is_integer(to.id())) {
    return cast->allow_int_overflow && !HoldsAll(to, from);
  }
  return cast->allow_float_truncate && arrow::is_floating(to.id()) &&
         to.id() != arrow::Type::DOUBLE;
}

bool HasNeitherNaNNorSuchCasts(const Expression& expression) {
  if (const Datum* value = expression.literal()) return !HasNaN(*value);
  const Expression::Call* call = expression.call();
  if (call == nullptr) return true;
  const auto* set =
      dynamic_cast<const arrow::compute::SetLookupOptions*>(call->options.get());
  if (set != nullptr && set->value_set.is_arraylike() && HasNaN(set->value_set)) {
    return false;
  }
  return !ChangesNumbers(*call) &&
         std::all_of(call->arguments.begin(), call->arguments.end(),
                     HasNeitherNaNNorSuchCasts);
}

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Expression Simplify(Expression expression, const std::vector<Expression>& guarantees) {
  for (const Expression& guarantee : guarantees) {
    auto simplified = arrow::compute::SimplifyWithGuarantee(expression, guarantee);
    if (simplified.ok()) expression = *std::move(simplified);
  }
  return expression;
}

bool IsTrue(const Expression& expression) {
  const Datum* value = expression.literal();
  return value != nullptr && value->is_scalar() &&
         value->scalar()->Equals(arrow::BooleanScalar(true));
}

bool IsSimplifiedRightly(const Expression& expression) {
  // Constants are folded first, as 0 / 0 is NaN, too.
  const auto folded = arrow::compute::FoldConstants(expression);
  return HasNeitherNaNNorSuchCasts(folded.ok() ? *folded : expression);
}

bool AllowsNaN(const Expression& expression) {
  const Expression::Call* call = expression.call();
  if (call == nullptr) return true;
  const auto& arguments = call->arguments;
  if (IsOneOf(call->function_name, {"and_kleene", "or_kleene", "and", "or"})) {
    return std::all_of(arguments.begin(), arguments.end(), AllowsNaN);
  }
  // The arguments must be columns and literals: with a call, such as a comparison that
  // NaN makes false, the comparison could be true.
  return IsOneOf(call->function_name,
                 {"equal", "less", "less_equal", "greater", "greater_equal"}) &&
         std::none_of(arguments.begin(), arguments.end(),
                      [](const Expression& e) { return e.call() != nullptr; });
}

}  // namespace rowfeed
