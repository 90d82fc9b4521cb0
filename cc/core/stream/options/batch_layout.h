// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_BATCH_LAYOUT_H_
#define ROWFEED_CORE_STREAM_OPTIONS_BATCH_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/catalog.h"
#include "core/catalog/schema/column.h"
#include "core/decode/blocks/part.h"
#include "core/export.h"
#include "core/status.h"
#include "core/stream/options/column_spec.h"

namespace rowfeed {

// A tensor of every batch, and the parts of the batch that it is made of. A mask is a
// tensor of its own, of type bool, directly after that of its column or stack.
struct Output {
  Column column;                // name, type and shape of the tensor
  std::vector<size_t> lengths;  // parts with the lengths of lists, the outermost first
  size_t values = 0;            // the part with the values
  // Not 0: the tensor is a stack of this many columns, and column k is part
  // values + k * part_step. Then the tensor lies in memory column by column, at the
  // distance of these parts.
  size_t num_columns = 0;
  size_t part_step = 1;
};

// What batches are made of: the parts of each column, and after them those of stacks.
struct BatchLayout {
  std::vector<ResolvedColumn> columns;
  std::vector<size_t> first_parts;  // the first part of each column, and the end
  std::vector<Part> parts;
  std::vector<Output> outputs;

  bool is_variable(size_t spec) const { return parts[first_parts[spec]].is_variable; }
  bool has_variable_parts() const;
  bool has_stacks() const { return parts.size() > first_parts.back(); }
};

ROWFEED_EXPORT Result<BatchLayout> LayOutBatches(const std::vector<ColumnSpec>& columns,
                                                 const Catalog& catalog);

// Returns how many outputs LayOutBatches will make.
ROWFEED_EXPORT size_t CountOutputs(const std::vector<ColumnSpec>& columns);

// Where the lists of one level begin, and where the last one ends. TensorFlow calls
// these numbers row splits.
struct Splits {
  int64_t* data;
  int64_t size;  // one more than there are lists
};

// Returns the splits of a ragged tensor, from those of its rows inwards to those of its
// values; for strings, to those of their bytes. Empty for a tensor of fixed shape.
ROWFEED_EXPORT std::vector<Splits> SplitsOf(const Output& output, const Batch& batch);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_BATCH_LAYOUT_H_
