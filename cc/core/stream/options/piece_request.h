// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_PIECE_REQUEST_H_
#define ROWFEED_CORE_STREAM_OPTIONS_PIECE_REQUEST_H_

#include "core/catalog/catalog.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/random_access_file.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/options/column_spec.h"

namespace rowfeed {

// Returns what to decode for a piece of a column, which must be a column of the
// catalog. The request points to all arguments except `piece`.
ChunkRequest MakeChunkRequest(const Catalog& catalog, const ColumnSpec& spec,
                              const ResolvedColumn& source, const Piece& piece,
                              const RandomAccessFile* file, bool verifies_checksums);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_PIECE_REQUEST_H_
