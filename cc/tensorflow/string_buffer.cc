// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/string_buffer.h"

#include <cstring>
#include <memory>
#include <new>

#include "tensorflow/core/framework/allocation_description.pb.h"
#include "tensorflow/core/platform/tstring.h"
#include "tensorflow/tf_version.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::tstring;

constexpr std::align_val_t kAlignment{64};  // the alignment that kernels rely on

}  // namespace

StringBuffer::StringBuffer(const uint8_t* bytes, const Splits& splits,
                           const std::shared_ptr<void>& owner)
    : TensorBuffer(::operator new((splits.size - 1) * sizeof(tstring), kAlignment)),
      num_strings_(splits.size - 1),
      num_bytes_(splits.data[num_strings_]) {
  const StringOwner views(owner);
  const char* data = reinterpret_cast<const char*>(bytes);
  auto* const strings = static_cast<tstring*>(this->data());
  for (int64_t i = 0; i < num_strings_; ++i) {
    const int64_t begin = splits.data[i];
    const auto size = static_cast<size_t>(splits.data[i + 1] - begin);
    tstring& string = *new (&strings[i]) tstring;
    if (size > TF_TString_SmallCapacity) {
      views.Assign(data + begin, size, &string);
    } else if (begin + TF_TString_SmallCapacity <= num_bytes_) {
      // Every string copies the same number of bytes, which needs no function call.
      std::memcpy(string.mdata(), data + begin, TF_TString_SmallCapacity);
      string.resize_uninitialized(size);
    } else {
      string.assign(data + begin, size);
    }
  }
}

StringBuffer::~StringBuffer() {
  std::destroy_n(static_cast<tstring*>(data()), num_strings_);
  ::operator delete(data(), kAlignment);
}

size_t StringBuffer::size() const { return num_strings_ * sizeof(tstring); }

bool StringBuffer::GetAllocatedBytes(size_t* bytes) const {
  *bytes = size() + num_bytes_;
  return true;
}

void StringBuffer::FillAllocationDescription(
    tensorflow::AllocationDescription* proto) const {
  proto->set_requested_bytes(static_cast<int64_t>(size()));
  proto->set_allocator_name("rowfeed");
}

}  // namespace rowfeed::tfdata
