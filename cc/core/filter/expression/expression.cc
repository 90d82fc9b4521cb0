// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/expression.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arrow/buffer.h"
#include "arrow/compute/initialize.h"
#include "arrow/type.h"
#include "core/arrow_status.h"
#include "core/filter/expression/computed_column.h"
#include "core/filter/expression/filter_columns.h"
#include "core/filter/expression/hex_digest.h"

namespace rowfeed {
namespace {

using arrow::FieldRef;
using arrow::compute::Expression;

Result<std::string> ColumnName(const FieldRef& field) {
  if (const std::string* name = field.name()) return *name;
  const std::vector<FieldRef>* path = field.nested_refs();
  if (path == nullptr) {
    return Status::Invalid("filter: ", field.ToString(),
                           " is not the name of a column");
  }
  std::string joined;
  for (const FieldRef& part : *path) {
    ROWFEED_ASSIGN_OR_RETURN(const std::string name, ColumnName(part));
    if (!joined.empty()) joined += '.';
    joined += name;
  }
  return joined;
}

Result<Expression> NameColumns(const Expression& expression) {
  if (const FieldRef* field = expression.field_ref()) {
    ROWFEED_ASSIGN_OR_RETURN(std::string name, ColumnName(*field));
    return arrow::compute::field_ref(FieldRef(std::move(name)));
  }
  const Expression::Call* call = expression.call();
  if (call == nullptr) return expression;
  std::vector<Expression> arguments;
  for (const Expression& argument : call->arguments) {
    ROWFEED_ASSIGN_OR_RETURN(Expression named, NameColumns(argument));
    arguments.push_back(std::move(named));
  }
  return arrow::compute::call(call->function_name, std::move(arguments), call->options);
}

void AddFunctions(const Expression& expression, std::vector<std::string>* names) {
  const Expression::Call* call = expression.call();
  if (call == nullptr) return;
  names->push_back(call->function_name);
  for (const Expression& argument : call->arguments) AddFunctions(argument, names);
}

std::vector<std::string> EachOnce(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Result<Expression> ParseExpression(std::string_view serialized) {
  ROWFEED_ARROW_RETURN_NOT_OK(arrow::compute::Initialize());
  const auto expression =
      arrow::compute::Deserialize(arrow::Buffer::FromString(std::string(serialized)));
  if (!expression.ok()) {
    return Status::Invalid("these bytes are not a filter: ",
                           expression.status().message());
  }
  return NameColumns(*expression);
}

std::vector<std::string> FieldNames(const Expression& expression) {
  std::vector<std::string> names;
  for (const FieldRef& field : arrow::compute::FieldsInExpression(expression)) {
    names.push_back(*field.name());
  }
  return EachOnce(std::move(names));
}

Result<std::vector<std::string>> FilterColumns(std::string_view serialized) {
  ROWFEED_ASSIGN_OR_RETURN(const Expression expression, ParseExpression(serialized));
  std::vector<std::string> names;
  for (std::string& name : FieldNames(expression)) {
    // The place of a row may also be the name of a column.
    const auto computed = ComputedColumn::Parse(name);
    const bool is_hash = computed && computed->is_hash();
    if (!is_hash) names.push_back(std::move(name));
    if (is_hash && !computed->source().empty()) names.push_back(computed->source());
  }
  return EachOnce(std::move(names));
}

Result<std::vector<std::string>> FilterFunctions(std::string_view serialized) {
  ROWFEED_ASSIGN_OR_RETURN(const Expression expression, ParseExpression(serialized));
  std::vector<std::string> names;
  AddFunctions(expression, &names);
  return EachOnce(std::move(names));
}

std::string FilterOptions(std::string_view serialized) {
  const Result<Expression> expression = ParseExpression(serialized);
  if (!expression.ok()) return "filter";
  bool has_filter = false;
  bool has_split = false;
  for (const std::string& name : FieldNames(*expression)) {
    const auto computed = ComputedColumn::Parse(name);
    (computed && computed->is_hash() ? has_split : has_filter) = true;
  }
  if (!has_split) return "filter";
  return has_filter ? "filter and split" : "split";
}

std::string FilterDigest(std::string_view serialized) {
  return serialized.empty() ? "-" : HexDigest(serialized);
}

}  // namespace rowfeed
