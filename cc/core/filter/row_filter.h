// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_ROW_FILTER_H_
#define ROWFEED_CORE_FILTER_ROW_FILTER_H_

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
#include "core/filter/arrow_values.h"
#include "core/io/buffer_pool.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"

namespace rowfeed {

// An expression of Arrow, bound to the columns of a catalog: which rows to deliver.
// Immutable and thread-safe.
class RowFilter {
 public:
  // `serialized`: an expression as Arrow serializes it. An unknown column is kKey, an
  // expression that its columns' types do not allow is kType, and says which they are.
  // `verifies_checksums`: of the pages that Select decodes.
  static Result<std::shared_ptr<const RowFilter>> Make(std::string_view serialized,
                                                       const Catalog& catalog,
                                                       bool verifies_checksums = false);

  // Shown the values that are decoded: the column of the filter, the row of the row
  // group that they begin with, the values.
  using Look = std::function<void(size_t, int64_t, const arrow::Array&)>;

  // The rows of `rows`, counted from rows.begin, that pass: those for which the
  // expression is true, neither false nor null. Decodes the filter's columns; `locator`
  // finds their pages; `look`, unless it is empty, sees their values.
  Result<std::vector<uint32_t>> Select(const Catalog& catalog, int64_t row_group,
                                       Interval rows, const RandomAccessFile& file,
                                       PageLocator* locator,
                                       const std::shared_ptr<BufferPool>& pool,
                                       const std::atomic<bool>* cancelled,
                                       const Look& look = nullptr) const;

  // With fields for columns(), in that order and of their names.
  const arrow::compute::Expression& expression() const { return expression_; }
  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }
  const std::vector<int>& columns() const { return columns_; }  // of the catalog

 private:
  RowFilter() = default;

  // The rows of each of columns(), as of Select.
  Result<std::vector<ArrowValues>> Decode(const Catalog& catalog, int64_t row_group,
                                          Interval rows, const RandomAccessFile& file,
                                          PageLocator* locator,
                                          const std::shared_ptr<BufferPool>& pool,
                                          const std::atomic<bool>* cancelled) const;

  arrow::compute::Expression expression_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<int> columns_;
  bool verifies_checksums_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_ROW_FILTER_H_
