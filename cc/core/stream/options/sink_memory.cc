// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/sink_memory.h"

#include <algorithm>

#include "core/batch/batch_builder.h"
#include "core/batch/cache_line.h"
#include "core/ceil_div.h"
#include "core/decode/blocks/inline_string.h"
#include "core/stream/options/gather_ways.h"

namespace rowfeed {
namespace {

int64_t ReferenceBytes(const Part& part) {
  return part.may_be_inline ? sizeof(InlineString) : sizeof(int64_t);
}

// The memory of DirectGather.
class DirectMemory final : public SinkMemory {
 public:
  bool has_buckets(const StreamOptions& options, const std::vector<Part>& parts,
                   const std::vector<size_t>& first_parts,
                   int64_t window_rows) const override {
    return HasBuckets(options, parts, first_parts, window_rows);
  }

  bool keeps_rows() const override { return false; }

  int64_t LateBytes(const Part& part) const override {
    if (part.is_referred_to) return ReferenceBytes(part);
    return part.kind == Part::Kind::kStack ? part.unit_bytes : 0;
  }

  // Where ranks share lanes, a rank keeps only its part of each window's rows.
  int64_t RowsBytes(const std::vector<Part>& parts, const Rows& rows) const override {
    const int64_t gathered = std::min(rows.own + rows.arena, rows.epoch);
    const int64_t each =
        BatchBuilder::ArenaBytes(parts, std::clamp<int64_t>(gathered, 1, rows.arena));
    const int64_t count = CeilDiv(gathered, rows.arena);
    return each > BatchBuilder::kTooManyBytes / std::max<int64_t>(count, 1)
               ? BatchBuilder::kTooManyBytes
               : count * each;
  }

  int64_t IndexBytes(bool has_buckets) const override {
    return kRowIndexBytes + (has_buckets ? kBucketIndexBytes : 0);
  }

  int64_t StripBytes(const Rows& rows) const override {
    return rows.num_windows > 1 ? kCacheLine * rows.arena : 0;
  }
};

// The memory of HeldWindow.
class HeldMemory final : public SinkMemory {
 public:
  bool has_buckets(const StreamOptions& /*options*/, const std::vector<Part>& /*parts*/,
                   const std::vector<size_t>& /*first_parts*/,
                   int64_t /*window_rows*/) const override {
    return false;
  }

  bool keeps_rows() const override { return true; }

  int64_t LateBytes(const Part& part) const override {
    if (part.is_referred_to) return ReferenceBytes(part);
    return part.kind == Part::Kind::kStack || !part.is_variable ? part.unit_bytes : 0;
  }

  // The window is kept whole, whatever part of it the rank delivers.
  int64_t RowsBytes(const std::vector<Part>& parts, const Rows& rows) const override {
    return BatchBuilder::ArenaBytes(parts, rows.window);
  }

  int64_t IndexBytes(bool /*has_buckets*/) const override { return kHeldRowIndexBytes; }
  int64_t StripBytes(const Rows& /*rows*/) const override { return 0; }
};

}  // namespace

const SinkMemory& SinkMemoryOf(const StreamOptions& stream) {
  static const HeldMemory held;
  return stream.mixture ? static_cast<const SinkMemory&>(held) : DirectSinkMemory();
}

const SinkMemory& DirectSinkMemory() {
  static const DirectMemory direct;
  return direct;
}

}  // namespace rowfeed
