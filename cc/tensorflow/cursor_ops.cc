// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Ops by which Python gives the graph the place of a dataset, and deletes it.
#include <memory>
#include <string>
#include <utility>

#include "core/stream/dataset_place.h"
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/cursor_resource.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;

REGISTER_OP("RowfeedGiveCursor")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Gives the iterators of a dataset the place that Python has left under this name.
)doc");

REGISTER_OP("RowfeedDeleteCursor")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Forgets the place of a dataset. Iterators that use it keep it.
)doc");

class CursorOp : public tensorflow::OpKernel {
 public:
  explicit CursorOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("cursor_name", &cursor_name_));
  }

 protected:
  const std::string& cursor_name() const { return cursor_name_; }

 private:
  std::string cursor_name_;
};

class GiveCursorOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override {
    tensorflow::core::RefCountPtr<CursorResource> resource;
    OP_REQUIRES_OK(ctx, CursorResource::FindOrMake(ctx->resource_manager(),
                                                   cursor_name(), &resource));
    std::shared_ptr<DatasetPlace> place = TakePlace(cursor_name());
    OP_REQUIRES(ctx, place != nullptr,
                absl::FailedPreconditionError("no place was left under this name"));
    resource->Give(std::move(place));
  }
};

class DeleteCursorOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override {
    tensorflow::ResourceMgr* resources = ctx->resource_manager();
    const absl::Status status = resources->Delete<CursorResource>(
        resources->default_container(), cursor_name());
    OP_REQUIRES(ctx, status.ok() || absl::IsNotFound(status), status);
  }
};

REGISTER_KERNEL_BUILDER(Name("RowfeedGiveCursor").Device(tensorflow::DEVICE_CPU),
                        GiveCursorOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedDeleteCursor").Device(tensorflow::DEVICE_CPU),
                        DeleteCursorOp);

}  // namespace
}  // namespace rowfeed::tfdata
