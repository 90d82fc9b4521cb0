// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FETCHED_FILE_H_
#define ROWFEED_CORE_IO_FETCHED_FILE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// Copies `extent` out of `fetched`, which Fetch returned; false if not all of it is
// there.
bool CopyFetched(const std::vector<FetchedExtent>& fetched, const Extent& extent,
                 uint8_t* out);
// Reads with file.Fetch, and then checks that the file has not changed.
Status FetchInto(const RandomAccessFile& file, const std::vector<ReadRequest>& requests,
                 const Cancelled& cancelled);

// A file of which some parts are in memory. Other parts are read from `file`.
class FetchedFile final : public RandomAccessFile {
 public:
  // `file` must outlive this object. At first no part is in memory.
  explicit FetchedFile(const RandomAccessFile* file) : file_(file) {}

  // Keeps what file.Fetch returned in memory, in place of what was kept before; {}
  // frees it. Do not call this while the file is read.
  void Keep(std::vector<FetchedExtent> fetched) { fetched_ = std::move(fetched); }
  bool has_fetched() const { return !fetched_.empty(); }

  Status Read(const std::vector<ReadRequest>& requests) const override;
  bool IsInPageCache(int64_t offset) const override {
    return file_->IsInPageCache(offset);
  }
  bool is_remote() const override { return file_->is_remote(); }
  const FileVersion& version() const override { return file_->version(); }
  const std::string& path() const override { return file_->path(); }

 private:
  const RandomAccessFile* const file_;
  std::vector<FetchedExtent> fetched_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FETCHED_FILE_H_
