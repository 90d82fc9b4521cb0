// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_PART_H_
#define ROWFEED_CORE_DECODE_BLOCKS_PART_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/catalog/column.h"
#include "core/decode/blocks/inline_string.h"
#include "core/decode/chunk/mask.h"

namespace rowfeed {

// One array of a batch. A column of fixed size is one part: its values. A ragged one is
// a part for each level that is of any length, bytes of strings included: the lengths
// of the lists (strings) at the level within the rows' own, and so on, then the values.
// In every part the elements of a row lie side by side, so that all of them are
// shuffled alike. A mask is the last part.
struct Part {
  enum class Kind : uint8_t {
    kLengths,  // int64 of lists or strings, which a batch sums up to offsets
    kValues,
    kMask,   // one byte per element, string or row: 0 for null
    kStack,  // rows of one value from each of its members, which are parts of values
  };
  Kind kind = Kind::kValues;
  // Rows differ in the number of their units: a batch has offsets of the rows, in
  // units.
  bool is_variable = false;
  int64_t unit_bytes = 0;  // of a row, if it is not variable
  // Strings, one per row and short, by the footers. Windows gather references to them,
  // as numbers; batches copy what these lead to when they are complete.
  bool is_referred_to = false;
  // Of those: a batch has them as InlineStrings if all are short.
  bool may_be_inline = false;
  size_t first_member = 0;  // of kStack: which parts
  size_t num_members = 0;

  // Of a row, as a window gathers it.
  int64_t gathered_bytes() const {
    return is_referred_to ? int64_t{sizeof(const InlineString*)} : unit_bytes;
  }
};

std::vector<Part> PartsOf(const Column& column, Mask mask);

// The mask of a column, as a column: bool, one per row or of the same shape, in which
// fixed-size binaries and strings have one value each.
Column MaskOf(const Column& column, Mask kind);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_PART_H_
