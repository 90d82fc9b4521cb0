// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_CHUNK_REQUEST_H_
#define ROWFEED_CORE_DECODE_CHUNK_CHUNK_REQUEST_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/partition.h"
#include "core/catalog/schema/column.h"
#include "core/decode/chunk/mask.h"
#include "core/decode/chunk/padding.h"
#include "core/decode/chunk/page_location.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/decode/chunk/wanted_rows.h"
#include "core/io/random_access_file.h"

namespace rowfeed {

// Says what to decode, rows [begin_row, end_row) of one column chunk, and how.
struct ChunkRequest {
  const RandomAccessFile* file;  // the file; must outlive the blocks that are made
  ColumnChunk chunk;
  int64_t group_rows;  // number of rows of the whole row group, by the footer
  int64_t begin_row;
  int64_t end_row;
  // The column as the catalog describes it, which says what the stored values mean.
  // With has_shape, list sizes are those that the user gave.
  const Column* source;
  // The column as batches hold it. It may differ from `source` in dtype, unit and
  // padding.
  const Column* column;
  // How this file stores the column. Files of one data set may differ in it.
  const ColumnStorage* storage;
  // The value that replaces a null element: ElementSize bytes, or any number of bytes
  // for strings. A null list becomes an empty list (ragged) or is filled with this
  // value (fixed size). nullopt: a null is an error that names its row.
  const std::optional<std::string>* fill;
  StringEncoding encoding = {};  // how strings become integers, if set
  // The mask to make. A null that the mask shows is no error, even without fill.
  Mask mask = Mask::kNone;
  // Pads or cuts lists and strings to these lengths; nullptr: they keep their lengths.
  const Padding* padding = nullptr;
  // The sizes of lists were given by the user. The file need not have promised them, so
  // each wanted row is checked.
  bool has_shape = false;
  // Set if the column is in no file, and `chunk` is empty: all rows have this value.
  std::optional<Constant> constant = std::nullopt;
  // The rows that are wanted, counted from begin_row and ascending; nullptr: all.
  const std::vector<uint32_t>* some_rows = nullptr;
  // Where the chunk's pages lie, if that is known. Then only pages with wanted rows are
  // read, their headers included. nullptr or empty: unknown.
  const PageLocations* pages = nullptr;
  // Checked before each page is decompressed: if true, decoding ends with kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
  // Where the caller will copy rows of a fixed size to, side by side. If all rows of
  // the row group are wanted, they may be decoded straight to there, and the block then
  // refers to them in that place. nullptr: no such place.
  uint8_t* rows_out = nullptr;
  // For each row of a fixed size, counted from begin_row, the place that the caller
  // will copy it to; nullptr for a row that is not wanted. Wide rows may be decoded
  // straight to there, and their block in the result is then nullptr. nullptr instead
  // of the array: no such places.
  uint8_t* const* places = nullptr;
  // True: the blocks must hold their rows in memory, so no rows are left in the file
  // (file_rows.h).
  bool in_memory = false;
  // True: a page that does not match its checksum is kCorrupt. Pages without one pass.
  bool verifies_checksums = false;
  // The time spent decompressing is added to this counter, unless it is nullptr.
  int64_t* decompress_ns = nullptr;

  bool wants_all() const {
    return begin_row == 0 && end_row == group_rows && some_rows == nullptr;
  }
  WantedRows wanted() const { return {begin_row, end_row, some_rows}; }
  bool masks_rows() const {
    return mask == Mask::kRows && storage->max_repetition_level() > 0;
  }
  bool masks_slots() const { return mask != Mask::kNone && !masks_rows(); }
  // Whether a null row, or a null within a list, is replaced and so is no error.
  bool null_rows_are_filled() const { return fill->has_value() || mask != Mask::kNone; }
  bool null_elements_are_filled() const { return fill->has_value() || masks_slots(); }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_CHUNK_REQUEST_H_
