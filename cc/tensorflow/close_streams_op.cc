// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_systems.h"
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/open_stream.h"

namespace rowfeed::tfdata {
namespace {

REGISTER_OP("RowfeedCloseStreams")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Closes for good what the iterators of the process read from. Call it before the process
ends.
)doc");

class CloseStreamsOp : public tensorflow::OpKernel {
 public:
  using OpKernel::OpKernel;

  void Compute(tensorflow::OpKernelContext* /*ctx*/) override {
    CloseStreams();
    CloseFileSystems();
  }
};

REGISTER_KERNEL_BUILDER(Name("RowfeedCloseStreams").Device(tensorflow::DEVICE_CPU),
                        CloseStreamsOp);

}  // namespace
}  // namespace rowfeed::tfdata
