// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_STRING_BUFFER_H_
#define ROWFEED_TENSORFLOW_STRING_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/stream/options/batch_layout.h"
#include "tensorflow/core/framework/tensor.h"

namespace rowfeed::tfdata {

// The strings of a tensor: string i has the bytes from splits.data[i] to splits.data[i
// + 1]. A string that is longer than a tstring holds inline is a view of `bytes` and
// keeps `owner`. TensorFlow's own buffer would make all strings empty first, and would
// count their bytes one by one whenever an iterator has made an element. This buffer
// knows their sum.
class StringBuffer : public tensorflow::TensorBuffer {
 public:
  StringBuffer(const uint8_t* bytes, const Splits& splits,
               const std::shared_ptr<void>& owner);
  ~StringBuffer() override;

  size_t size() const override;
  TensorBuffer* root_buffer() override { return this; }
  bool GetAllocatedBytes(size_t* bytes) const override;
  void FillAllocationDescription(
      tensorflow::AllocationDescription* proto) const override;

 private:
  const int64_t num_strings_;
  const int64_t num_bytes_;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_STRING_BUFFER_H_
