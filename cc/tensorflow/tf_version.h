// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// All that the ops must know of the version of TensorFlow that they are built with,
// which is 2.16 or newer. This header defines in the words of 2.21 what older versions
// lack.
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

// The headers of all versions tell their version by this number alone: 1766 in
// TensorFlow 2.16, 1882 in 2.17, 1994 in 2.18, 2129 in 2.19, 2288 in 2.20 and 2474
// in 2.21.
#if TF_GRAPH_DEF_VERSION < 1766
#error "rowfeed builds with TensorFlow 2.16 or newer"
#endif
#define ROWFEED_TF_HAS_GLOBAL_SHUFFLE (TF_GRAPH_DEF_VERSION >= 1882)
#define ROWFEED_TF_SAVES_GLOBAL_SHUFFLE (TF_GRAPH_DEF_VERSION >= 1994)
#define ROWFEED_TF_READS_SPANS (TF_GRAPH_DEF_VERSION >= 2288)
#define ROWFEED_TF_OWNS_STRINGS (TF_GRAPH_DEF_VERSION >= 2474)

#if ROWFEED_TF_HAS_GLOBAL_SHUFFLE
#include "tensorflow/core/data/global_shuffle_utils.h"
#endif

namespace rowfeed::tfdata {

#if ROWFEED_TF_HAS_GLOBAL_SHUFFLE

using tensorflow::data::AnyContext;
using tensorflow::data::DatasetBase;

// Whether elements are wanted by index, and whether a saved iterator has delivered them
// by index.
inline bool IsByIndex(tensorflow::data::IteratorContext* ctx) {
  return ctx->index_mapper() != nullptr;
}
inline bool WasByIndex(tensorflow::data::IteratorContext* ctx) {
  return ctx->restored_element_count().has_value();
}

#else

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

#endif

#if ROWFEED_TF_SAVES_GLOBAL_SHUFFLE

using tensorflow::data::GlobalShuffleIterator;

#elif ROWFEED_TF_HAS_GLOBAL_SHUFFLE

// In TensorFlow 2.17 the dataset of the global shuffle alone saves how many elements it
// has delivered, and tells its source that number when it restores.
class GlobalShuffleIterator : public tensorflow::data::GlobalShuffleIterator {
 public:
  using tensorflow::data::GlobalShuffleIterator::GlobalShuffleIterator;

  absl::Status Save(const std::string& /*prefix*/,
                    tensorflow::data::SerializationContext* /*ctx*/,
                    tensorflow::data::IteratorStateWriter* /*writer*/) {
    return absl::OkStatus();
  }
  absl::Status Restore(const std::string& /*prefix*/,
                       tensorflow::data::IteratorContext* ctx,
                       tensorflow::data::IteratorStateReader* /*reader*/) {
    return tensorflow::data::GlobalShuffleIterator::Restore(ctx);
  }
};

#else

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

#endif

// Reads what `file` has at `offset`. `*bytes` shows it, in `scratch` or elsewhere.
inline absl::Status ReadFile(const tensorflow::RandomAccessFile& file, uint64_t offset,
                             absl::Span<char> scratch, absl::string_view* bytes) {
#if ROWFEED_TF_READS_SPANS
  return file.Read(offset, *bytes, scratch);
#else
  return file.Read(offset, scratch.size(), bytes, scratch.data());
#endif
}

#if ROWFEED_TF_OWNS_STRINGS

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

#else

// Copies strings, because views keep no memory alive before TensorFlow 2.21.
class StringOwner {
 public:
  explicit StringOwner(const std::shared_ptr<void>& /*bytes*/) {}
  void Assign(const char* begin, size_t size, tensorflow::tstring* string) const {
    string->assign(begin, size);
  }
};

#endif

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_TF_VERSION_H_
