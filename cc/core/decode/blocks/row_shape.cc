// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/row_shape.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

namespace rowfeed {
namespace {

std::string Joined(const std::vector<int64_t>& sizes) {
  std::string text;
  for (const int64_t size : sizes) {
    text.append(text.empty() ? "(" : ", ").append(std::to_string(size));
  }
  return text.append(sizes.size() == 1 ? ",)" : ")");
}

template <typename... Args>
Status Problem(const Column& column, const Args&... what) {
  return Status::Invalid("column '", column.name, "' (", column.logical_type, ") ",
                         what...);
}

// Returns the number of elements of a row of these sizes, `elements` being that of one
// innermost item. Checked first, as later code computes sizes of rows from the shape.
Result<int64_t> CountElements(const Column& column, const std::vector<int64_t>& sizes,
                              int64_t elements) {
  for (const int64_t size : sizes) {
    if (size < 1 || size > INT32_MAX / elements) {
      return Problem(column, "cannot have rows of size ", Joined(sizes),
                     ": sizes are at least 1, and their product with those of what ",
                     "lists hold at most ", INT32_MAX);
    }
    elements *= size;
  }
  return elements;
}

}  // namespace

Result<Column> WithShape(const Column& column, const std::vector<int64_t>& shape) {
  const size_t num_lists = column.ragged_rank + column.list_sizes.size();
  if (num_lists == 0 || column.is_bytes()) {
    return Problem(column, "takes no shape: its rows are no lists of numbers");
  }
  ROWFEED_ASSIGN_OR_RETURN(const int64_t elements,
                           CountElements(column, shape, /*elements=*/1));
  Column shaped = column;
  shaped.ragged_rank = 0;
  shaped.dense_shape = shape;
  const size_t rank = column.ragged_rank + column.dense_shape.size();
  // One level of lists: the elements of a list may be laid out in any shape.
  if (rank == 1) {
    if (column.ragged_rank == 1) {
      shaped.list_sizes = {elements};
    } else if (elements != column.num_elements()) {
      return Problem(column, "has rows of ", column.num_elements(),
                     " elements, which is not the shape ", Joined(shape));
    }
    return shaped;
  }
  const auto inner =
      shape.begin() + std::min<int64_t>(column.ragged_rank, std::ssize(shape));
  if (shape.size() != rank ||
      !std::equal(inner, shape.end(), column.dense_shape.begin())) {
    return Problem(column, "takes a shape of ", rank, " sizes",
                   column.dense_shape.empty() ? "" : " that ends with ",
                   column.dense_shape.empty() ? "" : Joined(column.dense_shape),
                   ", not ", Joined(shape));
  }
  shaped.list_sizes.insert(shaped.list_sizes.begin(), shape.begin(), inner);
  return shaped;
}

Result<Column> WithPadding(const Column& column, const Padding& padding) {
  const size_t levels = column.ragged_rank + (column.is_bytes() ? 1 : 0);
  if (levels == 0) {
    return Problem(column, "cannot be padded: its rows have one size");
  }
  if (padding.lengths.size() != levels) {
    return Problem(column, "is padded to ", levels,
                   levels == 1 ? " length" : " lengths",
                   column.is_bytes() ? ", the last one of strings in bytes" : "",
                   "; not to ", Joined(padding.lengths));
  }
  const Result<int64_t> elements =
      CountElements(column, padding.lengths, column.num_elements());
  if (!elements.ok()) return elements.status();
  Column padded = column;
  padded.ragged_rank = 0;
  if (column.is_bytes()) padded.dtype = DType::kUInt8;
  const auto& lengths = padding.lengths;
  padded.list_sizes.insert(padded.list_sizes.begin(), lengths.begin(), lengths.end());
  padded.dense_shape.insert(padded.dense_shape.begin(), lengths.begin(), lengths.end());
  return padded;
}

}  // namespace rowfeed
