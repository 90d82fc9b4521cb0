// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_LYING_FILES_H_
#define ROWFEED_TENSORFLOW_LYING_FILES_H_

#include "core/stream/epochs/dataset_rows.h"

namespace rowfeed::tfdata {

// Logs a warning, once, for each file of `sources` whose statistics proved wrong.
void LogLyingFiles(const SourceRows& sources);

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_LYING_FILES_H_
