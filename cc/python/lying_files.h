// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_LYING_FILES_H_
#define ROWFEED_PYTHON_LYING_FILES_H_

#include "core/stream/epochs/dataset_rows.h"

namespace rowfeed {

// Warns once, as Python warns, of each file whose statistics lied to these rows. Throws
// if the user makes errors of warnings.
void WarnOfLyingFiles(DatasetRows& rows);

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_LYING_FILES_H_
