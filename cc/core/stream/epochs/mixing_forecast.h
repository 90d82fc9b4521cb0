// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_MIXING_FORECAST_H_
#define ROWFEED_CORE_STREAM_EPOCHS_MIXING_FORECAST_H_

namespace rowfeed {

// How well an epoch mixes the rows of a data set.
struct MixingForecast {
  // Number of row groups, and of files, that have rows in a batch. It is the mean over
  // a few batches of what the shuffle makes likely.
  double row_groups_per_batch = 0;
  double files_per_batch = 0;
  // How far the shuffle moves a row on average, in rows of the global stream, from its
  // place in the line of blocks.
  double displacement_rows = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_MIXING_FORECAST_H_
