// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Ops by which Python gives the graph the place of a dataset, and deletes it.
#include <memory>
#include <string>
#include <utility>

#include "core/stream/dataset_place.h"
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/core/platform/tstring.h"
#include "tensorflow/cursor_resource.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::OpKernelContext;
using tensorflow::ResourceMgr;
using tensorflow::tstring;
using tensorflow::data::ParseScalarArgument;

REGISTER_OP("RowfeedGiveCursor")
    .Input("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Gives the iterators of a dataset the place that Python has left under this name.
)doc");

REGISTER_OP("RowfeedDeleteCursor")
    .Input("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Forgets the place of a dataset. Iterators that use it keep it.
)doc");

// An op on the cursor resource of one dataset. Its name is an input and no attribute:
// TensorFlow keeps the kernel of each op that runs eagerly, by its attributes and for
// ever, so that each dataset would leave kernels behind.
class CursorOp : public tensorflow::OpKernel {
 public:
  using OpKernel::OpKernel;

  void Compute(OpKernelContext* ctx) final {
    tstring name;
    OP_REQUIRES_OK(ctx, ParseScalarArgument(ctx, "cursor_name", &name));
    OP_REQUIRES_OK(ctx, Run(*ctx->resource_manager(), name));
  }

 private:
  virtual absl::Status Run(ResourceMgr& resources, const std::string& name) = 0;
};

class GiveCursorOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

 private:
  absl::Status Run(ResourceMgr& resources, const std::string& name) override {
    tensorflow::core::RefCountPtr<CursorResource> resource;
    TF_RETURN_IF_ERROR(CursorResource::FindOrMake(&resources, name, &resource));
    std::shared_ptr<DatasetPlace> place = TakePlace(name);
    if (place == nullptr) {
      return absl::FailedPreconditionError("no place was left under this name");
    }
    resource->Give(std::move(place));
    return absl::OkStatus();
  }
};

class DeleteCursorOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

 private:
  absl::Status Run(ResourceMgr& resources, const std::string& name) override {
    const absl::Status status =
        resources.Delete<CursorResource>(resources.default_container(), name);
    return absl::IsNotFound(status) ? absl::OkStatus() : status;
  }
};

REGISTER_KERNEL_BUILDER(Name("RowfeedGiveCursor").Device(tensorflow::DEVICE_CPU),
                        GiveCursorOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedDeleteCursor").Device(tensorflow::DEVICE_CPU),
                        DeleteCursorOp);

}  // namespace
}  // namespace rowfeed::tfdata
