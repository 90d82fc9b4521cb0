// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/row_filter.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arrow/array.h"
#include "arrow/compute/exec.h"
#include "arrow/datum.h"
#include "arrow/scalar.h"
#include "arrow/type.h"
#include "core/arrow_status.h"
#include "core/catalog/file_types.h"
#include "core/catalog/schema/provenance.h"
#include "core/filter/expression/arrow_type.h"
#include "core/filter/expression/arrow_values.h"
#include "core/filter/expression/decimal_literals.h"
#include "core/filter/expression/expression.h"
#include "core/filter/expression/filter_columns.h"
#include "core/filter/expression/row_functions.h"
#include "core/filter/expression/string_literals.h"
#include "core/filter/expression/unsigned_literals.h"

namespace rowfeed {
namespace {

using arrow::compute::Expression;

// Returns an error if the column has different types in different files. A file without
// the column is allowed: its rows are null there.
Status CheckOneType(const Catalog& catalog, int column, const char* option) {
  for (const FileLayout& layout : catalog.layouts()) {
    const Difference* difference = layout.Find(column);
    if (difference == nullptr || difference->is_null()) continue;
    return Status::Invalid(option, ": ", TypesInFiles(catalog, column), ": a ", option,
                           " takes columns that have one type in all files");
  }
  return {};
}

// Number of rows that are filtered together, so that their values stay in the cache.
constexpr int64_t kSliceRows = 32 << 10;

Status CannotBind(const arrow::Status& status, const arrow::Schema& schema) {
  std::string types;
  for (const auto& field : schema.fields()) {
    // Users have not named the hash of a split.
    const auto computed = ComputedColumn::Parse(field->name());
    if (computed && computed->is_hash()) continue;
    types += types.empty() ? "column '" : ", column '";
    types += field->name() + "' is " + field->type()->ToString();
  }
  return {StatusCode::kType, "filter: " + status.message() + " (" + types + ")"};
}

Result<Expression> Bind(const Expression& expression, const arrow::Schema& schema) {
  const arrow::Result<Expression> bound = expression.Bind(schema);
  if (!bound.ok()) return CannotBind(bound.status(), schema);
  if (bound->type()->id() != arrow::Type::BOOL) {
    return Status(StatusCode::kType, "filter: " + expression.ToString() + " is " +
                                         bound->type()->ToString() +
                                         ", not true or false for each row");
  }
  if (!bound->IsScalarExpression()) {
    return Status::Unsupported("filter: ", expression.ToString(),
                               " does not look at one row at a time");
  }
  return *bound;
}

// Returns advice for the error message: how to change the types of columns that are
// made from the names of directories.
std::string PartitionAdvice(const Catalog& catalog, const std::vector<int>& columns) {
  std::string advice;
  for (const int index : columns) {
    const Column& column = catalog.columns()[index];
    if (!column.is_partition) continue;
    advice += "; column '" + column.name +
              "' is made of directories: give rowfeed.Column('" + column.name +
              "', dtype=...) in columns to choose its type";
  }
  return advice;
}

// Returns the error of a catalog about the column whose values a split hashes.
Status CannotSplitBy(const std::string& name, const Status& status) {
  const std::optional<Provenance> place = EnumeratorNamed<Provenance>(name);
  if (status.code() != StatusCode::kKey || !place || IsMoment(*place)) {
    return status.WithContext("split");
  }
  const std::string unit = name.substr(std::string_view("__").size());
  return {StatusCode::kKey, "split: no column is called '" + name +
                                "'; to split by places, give unit='" + unit +
                                "' in its place"};
}

// Appends the rows for which `passes` is true. Its rows are counted from `first`.
void AppendTrue(const arrow::Datum& passes, int64_t first, int64_t size,
                std::vector<uint32_t>* rows) {
  if (passes.is_scalar()) {
    const auto& scalar = static_cast<const arrow::BooleanScalar&>(*passes.scalar());
    if (!scalar.is_valid || !scalar.value) return;
    for (int64_t i = 0; i < size; ++i) {
      rows->push_back(static_cast<uint32_t>(first + i));
    }
    return;
  }
  const arrow::BooleanArray flags(passes.array());
  for (int64_t i = 0; i < size; ++i) {
    if (flags.IsValid(i) && flags.Value(i)) {
      rows->push_back(static_cast<uint32_t>(first + i));
    }
  }
}

}  // namespace

Result<std::shared_ptr<const RowFilter>> RowFilter::Make(std::string_view serialized,
                                                         const Catalog& catalog,
                                                         bool verifies_checksums) {
  ROWFEED_ASSIGN_OR_RETURN(const Expression expression, ParseExpression(serialized));
  ROWFEED_RETURN_NOT_OK(CheckFunctionsOfRows(expression));
  ROWFEED_RETURN_NOT_OK(CheckStringLiterals(expression));
  const std::shared_ptr<RowFilter> filter(new RowFilter);
  filter->verifies_checksums_ = verifies_checksums;
  ROWFEED_RETURN_NOT_OK(filter->FindColumns(FieldNames(expression), catalog));
  ROWFEED_ASSIGN_OR_RETURN(const Expression with_decimals,
                           WithDecimalLiterals(expression, *filter->schema_));
  ROWFEED_ASSIGN_OR_RETURN(const Expression with_unsigned,
                           WithUnsignedLiterals(with_decimals, *filter->schema_));
  Result<Expression> bound = Bind(with_unsigned, *filter->schema_);
  if (bound.status().code() == StatusCode::kType) {
    return Status(StatusCode::kType, bound.status().message() +
                                         PartitionAdvice(catalog, filter->columns_));
  }
  ROWFEED_ASSIGN_OR_RETURN(filter->expression_, std::move(bound));
  return std::shared_ptr<const RowFilter>(filter);
}

Status RowFilter::FindColumns(const std::vector<std::string>& names,
                              const Catalog& catalog) {
  arrow::FieldVector decoded;
  arrow::FieldVector computed;
  const auto add = [&](const std::string& name, bool is_of_split) -> Status {
    const auto known = std::find_if(decoded.begin(), decoded.end(),
                                    [&](const auto& it) { return it->name() == name; });
    if (known != decoded.end()) return {};
    const Result<int> index = catalog.ColumnIndex(name);
    const char* option = is_of_split ? "split" : "filter";
    if (!index.ok() && is_of_split) return CannotSplitBy(name, index.status());
    if (!index.ok()) return index.status().WithContext(option);
    ROWFEED_RETURN_NOT_OK(CheckOneType(catalog, *index, option));
    ROWFEED_ASSIGN_OR_RETURN(auto type, FilterType(catalog.columns()[*index], option));
    columns_.push_back(*index);
    options_.push_back(option);
    decoded.push_back(arrow::field(name, std::move(type)));
    return {};
  };
  for (const std::string& name : names) {
    // A column of the files comes before one of the same name that is computed.
    const auto column =
        catalog.HasColumn(name) ? std::nullopt : ComputedColumn::Parse(name);
    if (!column || !column->source().empty()) {
      ROWFEED_RETURN_NOT_OK(add(column ? column->source() : name, column.has_value()));
    }
    if (!column) continue;
    computed_.push_back(*column);
    computed.push_back(arrow::field(name, arrow::int64()));
  }
  decoded.insert(decoded.end(), computed.begin(), computed.end());
  schema_ = arrow::schema(std::move(decoded));
  return {};
}

Result<std::vector<ArrowValues>> RowFilter::Decode(
    const Catalog& catalog, int64_t row_group, Interval rows,
    const RandomAccessFile& file, PageLocator* locator,
    const std::shared_ptr<BufferPool>& pool, const std::atomic<bool>* cancelled) const {
  std::vector<ArrowValues> columns;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const int index = columns_[i];
    const Column& column = catalog.columns()[index];
    ChunkRequest request{.file = &file,
                         .chunk = catalog.chunk(row_group, index),
                         .group_rows = catalog.row_groups()[row_group].rows,
                         .begin_row = rows.begin,
                         .end_row = rows.end,
                         .source = &column,
                         .column = &column,
                         .storage = &catalog.storage(row_group, index),
                         .fill = nullptr,
                         .constant = catalog.constant(row_group, index),
                         .cancelled = cancelled,
                         .verifies_checksums = verifies_checksums_};
    const auto decode = [&]() -> Result<ArrowValues> {
      ROWFEED_ASSIGN_OR_RETURN(const PageLocations pages,
                               locator->LocateFew(request, row_group));
      request.pages = &pages;
      return ArrowValues::Decode(request, schema_->field(static_cast<int>(i))->type(),
                                 pool);
    };
    Result<ArrowValues> values = decode();
    if (!values.ok()) {
      return values.status().WithContext(catalog.Where(row_group, index));
    }
    columns.push_back(*std::move(values));
  }
  return columns;
}

Result<std::vector<uint32_t>> RowFilter::Select(const Catalog& catalog,
                                                int64_t row_group, Interval rows,
                                                const RandomAccessFile& file,
                                                PageLocator* locator,
                                                const std::shared_ptr<BufferPool>& pool,
                                                const std::atomic<bool>* cancelled,
                                                const Look& look) const {
  ROWFEED_ASSIGN_OR_RETURN(
      const std::vector<ArrowValues> columns,
      Decode(catalog, row_group, rows, file, locator, pool, cancelled));
  std::vector<uint32_t> selected;
  for (int64_t begin = 0; begin < rows.size(); begin += kSliceRows) {
    const int64_t end = std::min(begin + kSliceRows, rows.size());
    std::vector<arrow::Datum> arrays;
    for (size_t i = 0; i < columns.size(); ++i) {
      auto array = columns[i].Slice(begin, end);
      if (!array.ok()) {
        return array.status().WithContext(catalog.Where(row_group, columns_[i]));
      }
      if (look) look(i, rows.begin + begin, **array);
      arrays.emplace_back(*std::move(array));
    }
    for (const ComputedColumn& column : computed_) {
      const int source = schema_->GetFieldIndex(column.source());
      ROWFEED_ASSIGN_OR_RETURN(
          auto array,
          column.Compute(catalog, catalog.row_groups()[row_group],
                         {rows.begin + begin, rows.begin + end},
                         source < 0 ? nullptr : arrays[source].make_array().get()));
      arrays.emplace_back(std::move(array));
    }
    const auto passes = arrow::compute::ExecuteScalarExpression(
        expression_, arrow::compute::ExecBatch(std::move(arrays), end - begin));
    if (!passes.ok()) {
      return Status::Invalid(catalog.Where(row_group),
                             ": filter: ", passes.status().message());
    }
    AppendTrue(*passes, begin, end - begin, &selected);
  }
  return selected;
}

}  // namespace rowfeed
