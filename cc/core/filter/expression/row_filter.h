// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_ROW_FILTER_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_ROW_FILTER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/compute/expression.h"
#include "arrow/type_fwd.h"
#include "core/catalog/catalog.h"
#include "core/decode/pages/page_locator.h"
#include "core/filter/expression/arrow_values.h"
#include "core/filter/expression/computed_column.h"
#include "core/io/buffer_pool.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"

namespace rowfeed {

// A filter: an Arrow expression, bound to the columns of a catalog, that says which
// rows to deliver. Immutable and thread-safe.
class RowFilter {
 public:
  // `serialized` is an expression as Arrow serializes it. An unknown column is kKey. An
  // expression that does not fit the types of its columns is kType, and the error names
  // these types. Errors begin with the option that asks for what is wrong: "filter", or
  // "split" for the column whose values a split hashes. `verifies_checksums`: Select
  // verifies the checksums of the pages that it decodes.
  static Result<std::shared_ptr<const RowFilter>> Make(std::string_view serialized,
                                                       const Catalog& catalog,
                                                       bool verifies_checksums = false);

  // A function that sees the decoded values: look(number of the filter's column, row of
  // the row group with which the values begin, values).
  using Look = std::function<void(size_t, int64_t, const arrow::Array&)>;

  // Returns those of `rows`, counted from rows.begin, that pass: rows for which the
  // expression is true, neither false nor null. Decodes columns(), and computes
  // computed(). `locator` finds the pages of columns(); `look`, if not empty, is called
  // with their values.
  Result<std::vector<uint32_t>> Select(const Catalog& catalog, int64_t row_group,
                                       Interval rows, const RandomAccessFile& file,
                                       PageLocator* locator,
                                       const std::shared_ptr<BufferPool>& pool,
                                       const std::atomic<bool>* cancelled,
                                       const Look& look = nullptr) const;

  // The schema has one field for each of columns(), then one for each of computed(), in
  // the same order and with the same names.
  const arrow::compute::Expression& expression() const { return expression_; }
  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }
  // The filter's columns that are decoded, as numbers in the catalog.
  const std::vector<int>& columns() const { return columns_; }
  // The option that asks for each of columns(): "filter" or "split".
  const std::vector<const char*>& options() const { return options_; }
  // The filter's columns that are in no file.
  const std::vector<ComputedColumn>& computed() const { return computed_; }

 private:
  RowFilter() = default;

  // Decodes `rows` of each of columns(), for Select.
  Result<std::vector<ArrowValues>> Decode(const Catalog& catalog, int64_t row_group,
                                          Interval rows, const RandomAccessFile& file,
                                          PageLocator* locator,
                                          const std::shared_ptr<BufferPool>& pool,
                                          const std::atomic<bool>* cancelled) const;
  // Finds columns_, computed_ and the schema for the fields of an expression.
  Status FindColumns(const std::vector<std::string>& names, const Catalog& catalog);

  arrow::compute::Expression expression_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<int> columns_;
  std::vector<const char*> options_;
  std::vector<ComputedColumn> computed_;
  bool verifies_checksums_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_ROW_FILTER_H_
