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
#include "core/catalog/column.h"
#include "core/catalog/partition.h"
#include "core/decode/chunk/mask.h"
#include "core/decode/chunk/padding.h"
#include "core/decode/chunk/page_location.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/decode/chunk/wanted_rows.h"
#include "core/io/random_access_file.h"

namespace rowfeed {

// What to decode: rows [begin_row, end_row) of one column chunk.
struct ChunkRequest {
  const RandomAccessFile* file;  // must outlive the block
  ColumnChunk chunk;
  int64_t group_rows;  // rows of the whole row group, by the footer
  int64_t begin_row;
  int64_t end_row;
  // What the stored values mean: the catalog's column, but for the sizes of lists where
  // has_shape.
  const Column* source;
  // As batches hold it: the same but for dtype, unit and padding.
  const Column* column;
  // How the column lies in this file; files of one data set may differ in it.
  const ColumnStorage* storage;
  // Bytes that stand for a null element: ElementSize bytes, or any bytes for strings;
  // nullopt: a null is an error that names its row. A null list is then an empty list
  // (ragged) or all fill (dense).
  const std::optional<std::string>* fill;
  StringEncoding encoding = {};  // of strings that become integers
  // What a mask tells apart is no error.
  Mask mask = Mask::kNone;
  // Lists and strings become this long, if not nullptr.
  const Padding* padding = nullptr;
  // The sizes of lists are asked for; the file need not have promised them.
  bool has_shape = false;
  // The column is in no file (the chunk is none): all rows have this value.
  std::optional<Constant> constant = std::nullopt;
  // Which of the rows matter, counted from begin_row and ascending; nullptr: all.
  const std::vector<uint32_t>* some_rows = nullptr;
  // Where the chunk's pages lie, if it is known: then only those that hold the rows are
  // read, their headers too.
  const PageLocations* pages = nullptr;
  // Looked at before each page is decompressed: true ends it with kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
  // Where rows of a fixed size will be copied to. If all of the row group's are wanted,
  // they may be decoded there, and the block's rows lie there already. nullptr:
  // nowhere.
  uint8_t* rows_out = nullptr;
  // Where each row of a fixed size will be copied to, counted from begin_row; nullptr:
  // a row that is not wanted. Wide rows may be put there, and the block of their part
  // is then null. nullptr: nowhere.
  uint8_t* const* places = nullptr;
  // No rows of a block are left in the file.
  bool in_memory = false;
  // Pages that have a checksum must match it, else they are kCorrupt.
  bool verifies_checksums = false;
  // The time that decompressing takes is added to it, unless nullptr.
  int64_t* decompress_ns = nullptr;

  bool wants_all() const {
    return begin_row == 0 && end_row == group_rows && some_rows == nullptr;
  }
  WantedRows wanted() const { return {begin_row, end_row, some_rows}; }
  bool masks_rows() const {
    return mask == Mask::kRows && storage->max_repetition_level() > 0;
  }
  bool masks_slots() const { return mask != Mask::kNone && !masks_rows(); }
  // Whether there is something in the place of a null row, or of a null in a list.
  bool null_rows_are_filled() const { return fill->has_value() || mask != Mask::kNone; }
  bool null_elements_are_filled() const { return fill->has_value() || masks_slots(); }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_CHUNK_REQUEST_H_
