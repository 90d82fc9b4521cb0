// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_LYING_FILES_H_
#define ROWFEED_PYTHON_LYING_FILES_H_

#include "core/stream/epochs/dataset_rows.h"

namespace rowfeed {

// Issues a Python warning, once, for each file of `rows` whose statistics proved wrong.
// Throws if the user turns warnings into errors.
void WarnOfLyingFiles(DatasetRows& rows);

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_LYING_FILES_H_
