// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/piece_request.h"

namespace rowfeed {

ChunkRequest MakeChunkRequest(const Catalog& catalog, const ColumnSpec& spec,
                              const ResolvedColumn& source, const Piece& piece,
                              const RandomAccessFile* file, bool verifies_checksums) {
  const int index = *source.index;
  const int32_t layout =
      catalog.layout_index(catalog.row_groups()[piece.row_group].file);
  return {.file = file,
          .chunk = catalog.chunk(piece.row_group, index),
          .group_rows = catalog.row_groups()[piece.row_group].rows,
          .begin_row = piece.begin,
          .end_row = piece.end,
          .source = &source.stored_in(layout),
          .column = &source.column,
          .storage = &catalog.storage(piece.row_group, index),
          .fill = &spec.fill,
          .encoding = spec.encoding,
          .mask = spec.mask,
          .padding = spec.padding ? &*spec.padding : nullptr,
          .has_shape = !spec.shape.empty(),
          .constant = catalog.constant(piece.row_group, index),
          .verifies_checksums = verifies_checksums};
}

}  // namespace rowfeed
