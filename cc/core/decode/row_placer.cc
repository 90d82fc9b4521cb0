// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/row_placer.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace rowfeed {
namespace {

// Rows of at least this many bytes are read to their places one by one: from here on
// the system call costs less than a second copy of the row.
constexpr int64_t kScatteredRowBytes = int64_t{2} << 10;
// Narrower rows are read in blocks of this many bytes, which stay in a core's cache
// until they are copied to their places.
constexpr int64_t kBlockBytes = int64_t{128} << 10;

}  // namespace

bool CanPlace(const ChunkRequest& request, const SlotFormat& format) {
  // If unwanted rows may have another size, it is not known where a row begins until
  // all rows are decoded.
  const bool are_even = !request.has_shape || request.some_rows == nullptr;
  return request.places != nullptr && request.padding == nullptr && are_even &&
         !format.is_bytes() && format.slots_per_row * format.width >= kWideRowBytes;
}

RowPlacer::RowPlacer(const ChunkRequest& request, const SlotFormat& format,
                     std::shared_ptr<BufferPool> pool)
    : file_(request.file),
      chunk_offset_(request.chunk.offset),
      num_rows_(request.end_row - request.begin_row),
      slots_per_row_(format.slots_per_row),
      slot_bytes_(format.width),
      places_(request.places),
      pool_(std::move(pool)) {}

template <typename Visit>
void RowPlacer::ForEachPiece(int64_t begin, int64_t end, Visit visit) const {
  for (int64_t slot = std::max(begin, first_slot_); slot < end;) {
    const int64_t row = (slot - first_slot_) / slots_per_row_;
    if (row >= num_rows_) return;
    const int64_t row_slot = first_slot_ + row * slots_per_row_;
    const int64_t size = std::min(end, row_slot + slots_per_row_) - slot;
    if (places_[row] != nullptr) {
      visit(Piece{(slot - begin) * slot_bytes_, size * slot_bytes_,
                  places_[row] + (slot - row_slot) * slot_bytes_});
    }
    slot += size;
  }
}

void RowPlacer::Place(const uint8_t* slots, int64_t begin, int64_t end) const {
  ForEachPiece(begin, end, [slots](const Piece& piece) {
    std::memcpy(piece.out, slots + piece.skip, piece.size);
  });
}

Status RowPlacer::Read(int64_t offset, int64_t begin, int64_t end) {
  if (slots_per_row_ * slot_bytes_ < kScatteredRowBytes) {
    return ReadBlocks(offset, begin, end);
  }
  std::vector<ReadRequest> requests;
  requests.reserve((end - begin) / slots_per_row_ + 2);
  ForEachPiece(begin, end, [&](const Piece& piece) {
    requests.push_back({{chunk_offset_ + offset + piece.skip, piece.size}, piece.out});
  });
  return requests.empty() ? Status() : file_->Read(requests);
}

Status RowPlacer::ReadBlocks(int64_t offset, int64_t begin, int64_t end) {
  const int64_t last = std::min(end, first_slot_ + num_rows_ * slots_per_row_);
  const int64_t most = std::max<int64_t>(kBlockBytes / slot_bytes_, 1);
  for (int64_t slot = std::max(begin, first_slot_); slot < last;) {
    const int64_t block_end = std::min(last, slot + most);
    ROWFEED_ASSIGN_OR_RETURN(
        const Bytes block,
        Load(offset + (slot - begin) * slot_bytes_, (block_end - slot) * slot_bytes_));
    Place(block.data(), slot, block_end);
    slot = block_end;
  }
  return {};
}

Result<Bytes> RowPlacer::Load(int64_t offset, int64_t size) {
  if (!block_ || block_.capacity() < size) {
    ROWFEED_ASSIGN_OR_RETURN(block_, pool_->Allocate(size));
  }
  ROWFEED_RETURN_NOT_OK(file_->ReadAt(chunk_offset_ + offset, size, block_.data()));
  return Bytes(block_.data(), size);
}

}  // namespace rowfeed
