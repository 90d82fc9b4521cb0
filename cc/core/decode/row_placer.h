// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_ROW_PLACER_H_
#define ROWFEED_CORE_DECODE_ROW_PLACER_H_

#include <cstdint>
#include <memory>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Narrower rows are cheaper put side by side first.
constexpr int64_t kWideRowBytes = 128;

// Whether rows may go to request.places: they are wide, and of one size.
bool CanPlace(const ChunkRequest& request, const SlotFormat& format);

// Copies wide rows to request.places while their page is in a cache, or reads them from
// the file straight to there. Rows may go on in the next page.
class RowPlacer {
 public:
  RowPlacer(const ChunkRequest& request, const SlotFormat& format,
            std::shared_ptr<BufferPool> pool);

  // Says which slot request.begin_row begins with, once it is known.
  void BeginRows(int64_t slot) { first_slot_ = slot; }

  // Slots [begin, end), which lie side by side from `slots` on.
  void Place(const uint8_t* slots, int64_t begin, int64_t end) const;
  // The same, where they lie in the chunk from `offset` on.
  Status Read(int64_t offset, int64_t begin, int64_t end);
  // Bytes of the chunk; valid until the next call.
  Result<Bytes> Load(int64_t offset, int64_t size);

 private:
  // A part of a row that is in slots at hand.
  struct Piece {
    int64_t skip;  // bytes, from the first of the slots on
    int64_t size;
    uint8_t* out;
  };
  // Calls `visit` with each piece of a row that is wanted.
  template <typename Visit>
  void ForEachPiece(int64_t begin, int64_t end, Visit visit) const;
  Status ReadBlocks(int64_t offset, int64_t begin, int64_t end);

  const RandomAccessFile* const file_;
  const int64_t chunk_offset_;
  const int64_t num_rows_;
  const int64_t slots_per_row_;
  const int64_t slot_bytes_;
  uint8_t* const* const places_;
  const std::shared_ptr<BufferPool> pool_;
  int64_t first_slot_ = 0;
  Buffer block_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_ROW_PLACER_H_
