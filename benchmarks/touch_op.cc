// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "touch.h"

// Touches each tensor, and each string of one; returns how many bytes they have. Stateful,
// so that no graph rewrite drops or folds it.
REGISTER_OP("Touch")
    .Input("tensors: T")
    .Attr("T: list(type)")
    .Output("bytes: int64")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::ScalarShape);

class TouchOp : public tensorflow::OpKernel {
 public:
  using OpKernel::OpKernel;

  void Compute(tensorflow::OpKernelContext* context) override {
    int64_t bytes = 0;
    uint64_t sum = 0;
    for (int i = 0; i < context->num_inputs(); ++i) {
      const tensorflow::Tensor& tensor = context->input(i);
      if (tensor.dtype() == tensorflow::DT_STRING) {
        const auto strings = tensor.flat<tensorflow::tstring>();
        for (int64_t row = 0; row < strings.size(); ++row) {
          sum += TouchBytes(strings(row).data(), strings(row).size());
          bytes += static_cast<int64_t>(strings(row).size());
        }
      } else {
        const auto data = tensor.tensor_data();
        sum += TouchBytes(data.data(), data.size());
        bytes += static_cast<int64_t>(data.size());
      }
    }
    touched_ = touched_ + sum;
    tensorflow::Tensor* output = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, {}, &output));
    output->scalar<int64_t>()() = bytes;
  }

 private:
  volatile uint64_t touched_ = 0;
};

REGISTER_KERNEL_BUILDER(Name("Touch").Device(tensorflow::DEVICE_CPU), TouchOp);
