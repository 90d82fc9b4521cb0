// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_COMPUTED_COLUMN_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_COMPUTED_COLUMN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arrow/type_fwd.h"
#include "core/catalog/catalog.h"
#include "core/plan/blocks.h"
#include "core/status.h"

namespace rowfeed {

// A column of a filter that is in no file: the place of a row, as in provenance.h, or a
// hash that decides on which side of a split the row is. All values are int64.
//
// A hash is uniform in [0, 2^63). It is XXH3 (Collet, xxHash 0.8) of 64 bits without
// the lowest one. The hash of a row's place begins with the name of its file below the
// root, never with the number of the file, so that a row keeps its hash when files are
// added. Saved states rely on the hashes: they never change.
class ComputedColumn {
 public:
  // Returns the column of this name, nullopt if it is not computed. A hash has the name
  // "__split:UNIT:SEED", UNIT being row, row_group or file, or "__split:by:SEED:COLUMN"
  // for a hash of a column's values.
  static std::optional<ComputedColumn> Parse(std::string_view name);

  // Whether it is a hash, which users do not name: a split makes its name.
  bool is_hash() const { return kind_ >= Kind::kHashOfFile; }
  // The name of the column whose values are hashed; empty: no column is read.
  const std::string& source() const { return source_; }

  // Bounds of the values in a row group.
  struct Range {
    int64_t least;
    int64_t greatest;
  };
  // Returns what is known of the values without computing them; nullopt: nothing.
  std::optional<Range> RangeIn(const Catalog& catalog, const RowGroup& group) const;

  // Returns the values of `rows`. `values` are those of the column source() in these
  // rows; they are not used if source() is empty.
  Result<std::shared_ptr<arrow::Array>> Compute(const Catalog& catalog,
                                                const RowGroup& group, Interval rows,
                                                const arrow::Array* values) const;

 private:
  enum class Kind : uint8_t {
    kFile,
    kRowGroup,
    kRow,
    kHashOfFile,
    kHashOfRowGroup,
    kHashOfRow,
    kHashOfValue
  };

  ComputedColumn(Kind kind, uint64_t seed, std::string source)
      : kind_(kind), seed_(seed), source_(std::move(source)) {}

  uint64_t FileKey(const Catalog& catalog, const RowGroup& group) const;
  uint64_t GroupKey(const Catalog& catalog, const RowGroup& group) const;

  Kind kind_;
  uint64_t seed_;
  std::string source_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_COMPUTED_COLUMN_H_
