// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Ops by which Python asks, and tells, which rows filters let pass.
#include <string_view>
#include <vector>

#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/cursor_op.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::OpKernelContext;
using tensorflow::Tensor;
using tensorflow::TensorShape;
using tensorflow::tstring;

REGISTER_OP("RowfeedCountRows")
    .Output("survivors: string")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn([](tensorflow::shape_inference::InferenceContext* ctx) {
      ctx->set_output(0, ctx->Vector(ctx->kUnknownDim));
      return absl::OkStatus();
    })
    .Doc(R"doc(
Counts the rows that pass the filters, unless their number is known.

survivors: for each source, which rows pass its filter, serialized; empty: it has no
  filter.
)doc");

REGISTER_OP("RowfeedLoadRows")
    .Input("survivors: string")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Tells the cursor which rows pass the filters, so that it need not count them.

survivors: the output of RowfeedCountRows.
)doc");

class CountRowsOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override { OP_REQUIRES_OK(ctx, Say(ctx)); }

 private:
  absl::Status Say(OpKernelContext* ctx) const {
    tensorflow::core::RefCountPtr<CursorResource> cursor;
    TF_RETURN_IF_ERROR(FindCursor(ctx, &cursor));
    ROWFEED_TF_ASSIGN_OR_RETURN(const auto survivors, cursor->CountRows());
    Tensor* output = nullptr;
    const auto size = static_cast<int64_t>(survivors.size());
    TF_RETURN_IF_ERROR(ctx->allocate_output(0, TensorShape({size}), &output));
    for (int64_t i = 0; i < size; ++i) output->vec<tstring>()(i) = survivors[i];
    return absl::OkStatus();
  }
};

class LoadRowsOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override { OP_REQUIRES_OK(ctx, Load(ctx)); }

 private:
  absl::Status Load(OpKernelContext* ctx) const {
    tensorflow::core::RefCountPtr<CursorResource> cursor;
    TF_RETURN_IF_ERROR(FindCursor(ctx, &cursor));
    std::vector<tstring> survivors;
    TF_RETURN_IF_ERROR(
        tensorflow::data::ParseVectorArgument(ctx, "survivors", &survivors));
    return ToTensorFlow(cursor->LoadRows({survivors.begin(), survivors.end()}));
  }
};

REGISTER_KERNEL_BUILDER(Name("RowfeedCountRows").Device(tensorflow::DEVICE_CPU),
                        CountRowsOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedLoadRows").Device(tensorflow::DEVICE_CPU),
                        LoadRowsOp);

}  // namespace
}  // namespace rowfeed::tfdata
