// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// All that the ops must know of the version of TensorFlow that they are built with:
// 2.16, which is the last one that tensorflow-io has plug-ins for, or 2.21. This header
// defines what 2.16 lacks.
#ifndef ROWFEED_TENSORFLOW_TF_VERSION_H_
#define ROWFEED_TENSORFLOW_TF_VERSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/platform/file_system.h"
#include "tensorflow/core/platform/refcount.h"
#include "tensorflow/core/platform/tstring.h"
#include "tensorflow/core/public/version.h"

// Headers tell only this number of the version: 1766 in TensorFlow 2.16, 2474 in 2.21.
#if TF_GRAPH_DEF_VERSION == 1766
#define ROWFEED_TF_2_16 1
#elif TF_GRAPH_DEF_VERSION < 2474
#error "rowfeed builds with TensorFlow 2.16 and 2.21"
#else
#define ROWFEED_TF_2_16 0
#include "tensorflow/core/data/global_shuffle_utils.h"
#endif

namespace rowfeed::tfdata {

#if ROWFEED_TF_2_16

struct AnyContext {
  explicit AnyContext(tensorflow::OpKernelContext* /*ctx*/) {}
};

// TensorFlow 2.16 never calls these functions. They exist so that overrides compile.
class DatasetBase : public tensorflow::data::DatasetBase {
 public:
  using tensorflow::data::DatasetBase::DatasetBase;
  using tensorflow::data::DatasetBase::Get;
  virtual absl::Status RandomIndexingCompatible() const = 0;
  virtual absl::Status Get(AnyContext ctx, int64_t index,
                           std::vector<tensorflow::Tensor>* out_tensors) const = 0;
};

// TensorFlow 2.16 asks no iterator for a global shuffle.
inline bool IsByIndex(tensorflow::data::IteratorContext* /*ctx*/) { return false; }
inline bool WasByIndex(tensorflow::data::IteratorContext* /*ctx*/) { return false; }

class GlobalShuffleIterator {
 public:
  explicit GlobalShuffleIterator(const tensorflow::data::DatasetBase* /*dataset*/) {}

  absl::Status GetNext(tensorflow::data::IteratorContext* /*ctx*/,
                       std::vector<tensorflow::Tensor>* /*out_tensors*/,
                       bool* /*end_of_sequence*/) {
    return Unknown();
  }
  absl::Status Save(const std::string& /*prefix*/,
                    tensorflow::data::SerializationContext* /*ctx*/,
                    tensorflow::data::IteratorStateWriter* /*writer*/) {
    return Unknown();
  }
  absl::Status Restore(const std::string& /*prefix*/,
                       tensorflow::data::IteratorContext* /*ctx*/,
                       tensorflow::data::IteratorStateReader* /*reader*/) {
    return Unknown();
  }

 private:
  static absl::Status Unknown() {
    return absl::UnimplementedError("TensorFlow 2.16 knows no global shuffle");
  }
};

// Copies strings, because views in TensorFlow 2.16 keep no memory alive.
class StringOwner {
 public:
  explicit StringOwner(const std::shared_ptr<void>& /*bytes*/) {}
  void Assign(const char* begin, size_t size, tensorflow::tstring* string) const {
    string->assign(begin, size);
  }
};

inline absl::Status ReadFile(const tensorflow::RandomAccessFile& file, uint64_t offset,
                             absl::Span<char> scratch, absl::string_view* bytes) {
  return file.Read(offset, scratch.size(), bytes, scratch.data());
}

#else

using tensorflow::data::AnyContext;
using tensorflow::data::DatasetBase;
using tensorflow::data::GlobalShuffleIterator;

// Whether elements are wanted by index, and whether a saved iterator has delivered them
// by index.
inline bool IsByIndex(tensorflow::data::IteratorContext* ctx) {
  return ctx->index_mapper() != nullptr;
}
inline bool WasByIndex(tensorflow::data::IteratorContext* ctx) {
  return ctx->restored_element_count().has_value();
}

// Makes strings views of `bytes`. These live as long as any of the strings.
class StringOwner {
 public:
  using Bytes = std::shared_ptr<void>;
  explicit StringOwner(Bytes bytes) : owner_(new Owner(std::move(bytes))) {}
  void Assign(const char* begin, size_t size, tensorflow::tstring* string) const {
    string->assign_as_shared_view(begin, size, owner_.get());
  }

 private:
  using Owner = tensorflow::tstring::owner<Bytes>;
  const tensorflow::core::RefCountPtr<Owner> owner_;
};

// Reads what `file` has at `offset`. `*bytes` shows it, in `scratch` or elsewhere.
inline absl::Status ReadFile(const tensorflow::RandomAccessFile& file, uint64_t offset,
                             absl::Span<char> scratch, absl::string_view* bytes) {
  return file.Read(offset, *bytes, scratch);
}

#endif

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_TF_VERSION_H_
