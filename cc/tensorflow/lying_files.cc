// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/lying_files.h"

#include <memory>
#include <string>

#include "tensorflow/core/platform/logging.h"

namespace rowfeed::tfdata {

void LogLyingFiles(const SourceRows& sources) {
  for (const std::shared_ptr<DatasetRows>& rows : sources) {
    for (const std::string& warning : rows->TakeWarnings()) LOG(WARNING) << warning;
  }
}

}  // namespace rowfeed::tfdata
