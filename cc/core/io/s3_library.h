// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_S3_LIBRARY_H_
#define ROWFEED_CORE_IO_S3_LIBRARY_H_

#include "arrow/filesystem/filesystem.h"
#include "arrow/status.h"

namespace rowfeed {

// Loads Arrow's library for s3, if it is a library of its own beside Arrow's, so that
// arrow::fs::FileSystemFromUri knows the scheme. Only the first call loads it.
arrow::Status LoadS3();

// Options for a client of s3 that does not try failed calls again: we do
// (TransientErrors). Only listings, which the client makes in threads of its own, are
// tried again by the client, a few times.
arrow::fs::FileSystemFactoryOptions S3Options();

// While this object exists, records whether the last error of an s3 client in this
// thread may be temporary: connections, timeouts, 5xx, throttling. The client then does
// not try calls again by itself. Do not nest two of them.
class TransientErrors {
 public:
  TransientErrors();
  ~TransientErrors();
  TransientErrors(const TransientErrors&) = delete;
  TransientErrors& operator=(const TransientErrors&) = delete;

  bool seen() const { return seen_; }
  void Note(bool is_transient) { seen_ = is_transient; }

 private:
  bool seen_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_S3_LIBRARY_H_
