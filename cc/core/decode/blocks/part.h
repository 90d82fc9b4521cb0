// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_PART_H_
#define ROWFEED_CORE_DECODE_BLOCKS_PART_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/decode/blocks/inline_string.h"
#include "core/decode/chunk/mask.h"

namespace rowfeed {

// A column is delivered as one or several arrays; a Part describes one of them. A
// column of fixed size is one part, its values. A ragged column has one part for each
// level below the rows whose lengths differ (lists, and the bytes of strings), which
// holds their lengths, and then a part with the values. In every part the elements of a
// row lie side by side, so that all parts are shuffled in the same way. A mask, if
// there is one, is the last part.
struct Part {
  enum class Kind : uint8_t {
    kLengths,  // int64 lengths of lists or strings, which a batch adds up to offsets
    kValues,
    kMask,  // one byte per element, string or row: 0 for null
    // Each row joins the values of several columns, whose parts are the members.
    kStack,
  };
  Kind kind = Kind::kValues;
  // True: rows differ in their number of units, and a batch has offsets of the rows,
  // counted in units.
  bool is_variable = false;
  // Bytes of a unit if the part is variable, else of a row.
  int64_t unit_bytes = 0;
  // One string per row, and short as far as the footers tell. Windows then gather
  // references to the strings, as numbers; a batch copies the strings when it is
  // complete.
  bool is_referred_to = false;
  // Only if is_referred_to: a batch holds these strings as InlineStrings if all of them
  // are short.
  bool may_be_inline = false;
  // Only for kValues: the batch, and not the row, decides the values.
  enum class Moment : uint8_t { kNone, kEpoch, kStep };
  Moment moment = Moment::kNone;
  // Only for kStack: member k is part first_member + k * member_step.
  size_t first_member = 0;
  size_t num_members = 0;
  size_t member_step = 1;

  // Number of bytes that a window gathers for a row.
  int64_t gathered_bytes() const {
    return is_referred_to ? int64_t{sizeof(const InlineString*)} : unit_bytes;
  }
};

std::vector<Part> PartsOf(const Column& column, Mask mask);

// Describes the mask of a column as a column of bools: one per row, or of the same
// shape as the column, where a string or fixed-size binary counts as one element.
Column MaskOf(const Column& column, Mask kind);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_PART_H_
