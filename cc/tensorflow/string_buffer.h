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

// The strings of a tensor: one for each of the splits of `bytes` but the last, which is
// the end. Those longer than a tstring holds inline are views of `bytes` and keep
// `owner`. TensorFlow would make all of them empty first, and count their bytes one by
// one whenever an iterator has made an element; this knows their sum.
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
