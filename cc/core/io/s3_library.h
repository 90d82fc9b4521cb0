// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_S3_LIBRARY_H_
#define ROWFEED_CORE_IO_S3_LIBRARY_H_

#include "arrow/filesystem/filesystem.h"
#include "arrow/status.h"

namespace rowfeed {

// Opens Arrow's library for s3, where it is one beside Arrow's own, so that
// arrow::fs::FileSystemFromUri knows the scheme. Does it once.
arrow::Status LoadS3();

// Options of a client that leaves it to us what is tried again (TransientErrors), and
// for listings, which it makes in threads of its own, tries a few times.
arrow::fs::FileSystemFactoryOptions S3Options();

// Notes, in this thread while it exists, whether the last error of an s3 client was one
// that may go away: connections, timeouts, 5xx, throttling. Its calls are not tried
// again by the client. Not nested.
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
