// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_EPOCH_FORECAST_H_
#define ROWFEED_CORE_STREAM_EPOCHS_EPOCH_FORECAST_H_

#include <cstdint>
#include <optional>

#include "core/export.h"
#include "core/filter/decided_rows.h"
#include "core/status.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/epochs/mixing_forecast.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What one rank does in an epoch, by the order of its rows and by what footers say.
struct EpochForecast {
  int64_t num_files = 0;       // different files that are read
  int64_t num_row_groups = 0;  // different row groups that are read
  // Bytes that are read of column chunks, those of the filter included. A row group of
  // which two windows have rows counts for each of them.
  int64_t read_bytes = 0;
  bool is_read_exact = true;      // whether read_bytes is no estimate
  int64_t first_batch_bytes = 0;  // part of read_bytes that the first batch waits for
  // Requests that fetch read_bytes of remote files; an estimate if read_bytes is one.
  int64_t num_requests = 0;
  int64_t num_windows = 0;    // windows that are loaded
  int64_t window_rows = 0;    // median of these windows
  int64_t window_blocks = 0;  // median of these windows
  // Row groups in which no row passes the filter; they are not read.
  int64_t excluded_row_groups = 0;
  // What decided whether rows pass. nullopt: there is no filter, or it is not known.
  std::optional<DecidedRows> decided;
  // Estimates for the rows that pass a filter: the bytes that they alone would have in
  // a file, and the bytes of the pages that they are in.
  int64_t copied_bytes = 0;
  int64_t by_index_bytes = 0;
  // nullopt: the stream is a mixture, or the rank has no whole batch.
  std::optional<MixingForecast> mixing;
};

// Foresees an epoch from its first row on, without reading anything. Takes time in
// proportion to the number of blocks. kInvalid: the rows of a filter are not counted
// yet, or the epoch has no end.
ROWFEED_EXPORT Result<EpochForecast> ForecastEpoch(const StreamOptions& options,
                                                   const SourceRows& sources,
                                                   int64_t epoch);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_EPOCH_FORECAST_H_
