// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/row_functions.h"

#include <string>

#include "arrow/compute/function.h"
#include "arrow/compute/registry.h"

namespace rowfeed {
namespace {

using arrow::compute::Function;

Status CheckFunction(const Function& function, const std::string& name) {
  // "cast" is a meta function that calls a function of one row; all other meta
  // functions are refused.
  if (function.kind() != Function::SCALAR && name != "cast") {
    return Status::Unsupported("filter: ", name,
                               " looks at several rows: a filter takes functions whose "
                               "result depends on one row alone");
  }
  if (function.is_pure()) return {};
  return Status::Unsupported(
      "filter: ", name, " gives another result each time it is called: the rows that ",
      "pass are counted once and looked at again in every epoch; write the numbers to ",
      "a column and filter by that");
}

}  // namespace

Status CheckFunctionsOfRows(const arrow::compute::Expression& expression) {
  const arrow::compute::Expression::Call* call = expression.call();
  if (call == nullptr) return {};
  const auto function =
      arrow::compute::GetFunctionRegistry()->GetFunction(call->function_name);
  // An unknown function is no error here: Arrow reports it when the expression is
  // bound.
  if (function.ok()) {
    ROWFEED_RETURN_NOT_OK(CheckFunction(**function, call->function_name));
  }
  for (const auto& argument : call->arguments) {
    ROWFEED_RETURN_NOT_OK(CheckFunctionsOfRows(argument));
  }
  return {};
}

}  // namespace rowfeed
