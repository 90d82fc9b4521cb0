// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/string_literals.h"

#include "arrow/array.h"
#include "arrow/chunked_array.h"
#include "arrow/compute/api_scalar.h"
#include "arrow/datum.h"
#include "arrow/scalar.h"

namespace rowfeed {
namespace {

arrow::Status Validate(const arrow::Datum& values) {
  if (values.is_scalar()) return values.scalar()->ValidateFull();
  if (!values.is_arraylike()) return {};
  for (const auto& chunk : values.chunks()) ARROW_RETURN_NOT_OK(chunk->ValidateFull());
  return {};
}

Status Check(const arrow::Datum& values) {
  const arrow::Status valid = Validate(values);
  if (valid.ok()) return {};
  return Status::Invalid(
      "filter: a value in it cannot be compared: ", valid.message(),
      "; a string must be UTF-8, and other bytes must be of type binary");
}

}  // namespace

Status CheckStringLiterals(const arrow::compute::Expression& expression) {
  if (const arrow::Datum* value = expression.literal()) return Check(*value);
  const arrow::compute::Expression::Call* call = expression.call();
  if (call == nullptr) return {};
  const auto* set =
      dynamic_cast<const arrow::compute::SetLookupOptions*>(call->options.get());
  if (set != nullptr) ROWFEED_RETURN_NOT_OK(Check(set->value_set));
  for (const auto& argument : call->arguments) {
    ROWFEED_RETURN_NOT_OK(CheckStringLiterals(argument));
  }
  return {};
}

}  // namespace rowfeed
