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

// Rows of at least this many bytes are wide. Narrower rows are cheaper to decode side
// by side first, and to copy to their places later.
constexpr int64_t kWideRowBytes = 128;

// Whether the requested rows can be decoded straight to request.places: they must be
// wide and all of one size.
bool CanPlace(const ChunkRequest& request, const SlotFormat& format);

// Copies wide rows to request.places while their page is still in a processor cache, or
// reads them from the file straight to those places. A row may begin in one page and go
// on in the next.
class RowPlacer {
 public:
  RowPlacer(const ChunkRequest& request, const SlotFormat& format,
            std::shared_ptr<BufferPool> pool);

  // Says with which slot row request.begin_row begins. Call it once that is known,
  // before the row's slots are placed.
  void BeginRows(int64_t slot) { first_slot_ = slot; }

  // Places the requested rows among slots [begin, end), which lie side by side in
  // memory from `slots` on.
  void Place(const uint8_t* slots, int64_t begin, int64_t end) const;
  // Like Place, for slots that lie in the file, side by side from `offset` in the chunk
  // on.
  Status Read(int64_t offset, int64_t begin, int64_t end);
  // Reads bytes of the chunk. The result is valid until the next call.
  Result<Bytes> Load(int64_t offset, int64_t size);

 private:
  // A part of a wanted row within the given slots.
  struct Piece {
    int64_t skip;  // bytes between the first slot and the piece
    int64_t size;
    uint8_t* out;
  };
  // Calls `visit` with each piece of a wanted row within slots [begin, end).
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
