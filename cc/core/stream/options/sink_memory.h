// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_SINK_MEMORY_H_
#define ROWFEED_CORE_STREAM_OPTIONS_SINK_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/decode/blocks/part.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Bytes for each row of a window, beside its values, that tell which row goes where:
// the permutation, and the split of columns that are decoded by the row group. A window
// that is held (kHeldRowIndexBytes) also has a split of the columns that are decoded by
// the window, but frees the permutation.
inline constexpr int64_t kRowIndexBytes = 12;
inline constexpr int64_t kBucketIndexBytes = 4;  // in addition, where there are buckets
inline constexpr int64_t kHeldRowIndexBytes = 16;

// What the sink of a window takes in memory. There is one kind for each kind of sink,
// see window/window_sink.h.
class SinkMemory {
 public:
  // The rows of a source's largest window, and how they are divided.
  struct Rows {
    int64_t window;       // rows of the window
    int64_t own;          // rows of the window that the rank delivers
    int64_t arena;        // rows of the largest arena
    int64_t epoch;        // rows of all arenas of an epoch, as far as it is known
    int64_t num_windows;  // windows that are loaded side by side
  };

  virtual ~SinkMemory() = default;

  // Whether columns of a window are gathered through buckets, see HasBuckets.
  virtual bool has_buckets(const StreamOptions& options, const std::vector<Part>& parts,
                           const std::vector<size_t>& first_parts,
                           int64_t window_rows) const = 0;
  // Whether the sink keeps the rows of all fixed parts until batches gather them.
  virtual bool keeps_rows() const = 0;
  // Returns how many bytes are made of a row of the part when its batch is assembled,
  // without units.
  virtual int64_t LateBytes(const Part& part) const = 0;
  // Returns the bytes of a window's fixed parts: in arenas, or as they are held.
  virtual int64_t RowsBytes(const std::vector<Part>& parts, const Rows& rows) const = 0;
  // Returns the bytes for each row that tell which row goes where.
  virtual int64_t IndexBytes(bool has_buckets) const = 0;
  // Returns the bytes that each thread needs for the strips of a column.
  virtual int64_t StripBytes(const Rows& rows) const = 0;
};

// The memory of the sinks that windows of the stream have.
const SinkMemory& SinkMemoryOf(const StreamOptions& stream);
// The memory of sinks that gather straight into batches.
const SinkMemory& DirectSinkMemory();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_SINK_MEMORY_H_
