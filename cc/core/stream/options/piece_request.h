// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_PIECE_REQUEST_H_
#define ROWFEED_CORE_STREAM_OPTIONS_PIECE_REQUEST_H_

#include "core/catalog/catalog.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/random_access_file.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/options/feature.h"

namespace rowfeed {

// What is to be decoded for a piece of a feature that is a column of the catalog.
// Points to all that it is given but the piece.
ChunkRequest MakeChunkRequest(const Catalog& catalog, const Feature& feature,
                              const FeatureSource& source, const Piece& piece,
                              const RandomAccessFile* file, bool verifies_checksums);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_PIECE_REQUEST_H_
