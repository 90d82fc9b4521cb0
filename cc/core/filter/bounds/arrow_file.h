// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_ARROW_FILE_H_
#define ROWFEED_CORE_FILTER_BOUNDS_ARROW_FILE_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "core/arrow_status.h"
#include "core/io/random_access_file.h"

namespace rowfeed {

// Makes a rowfeed::RandomAccessFile readable for Arrow's readers.
class ArrowFile final : public arrow::io::RandomAccessFile {
 public:
  // `file` must outlive this object.
  explicit ArrowFile(const rowfeed::RandomAccessFile* file) : file_(file) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Seek(int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> GetSize() override { return file_->size(); }

  arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, void* out) override {
    if (position < 0 || size < 0 || position > file_->size()) {
      return arrow::Status::Invalid("a read outside of the file");
    }
    size = std::min(size, file_->size() - position);
    ARROW_RETURN_NOT_OK(
        ToArrow(file_->ReadAt(position, size, static_cast<uint8_t*>(out))));
    return size;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position,
                                                       int64_t size) override {
    size = std::min(size, std::max<int64_t>(file_->size() - position, 0));
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(size));
    ARROW_ASSIGN_OR_RAISE(size, ReadAt(position, size, buffer->mutable_data()));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }
  arrow::Result<int64_t> Read(int64_t size, void* out) override {
    ARROW_ASSIGN_OR_RAISE(size, ReadAt(position_, size, out));
    position_ += size;
    return size;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, size));
    position_ += buffer->size();
    return buffer;
  }

 private:
  const rowfeed::RandomAccessFile* const file_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_ARROW_FILE_H_
