// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_CURSOR_OP_H_
#define ROWFEED_TENSORFLOW_CURSOR_OP_H_

#include <string>

#include "absl/status/status.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/platform/refcount.h"
#include "tensorflow/cursor_resource.h"

namespace rowfeed::tfdata {

// The base of ops that use the cursor of a dataset. An attribute names the cursor.
class CursorOp : public tensorflow::OpKernel {
 public:
  explicit CursorOp(tensorflow::OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("cursor_name", &name_));
  }

 protected:
  const std::string& cursor_name() const { return name_; }

  // Finds the resource of that name, which must have a cursor.
  absl::Status FindCursor(tensorflow::OpKernelContext* ctx,
                          tensorflow::core::RefCountPtr<CursorResource>* cursor) const {
    const tensorflow::ResourceMgr* resources = ctx->resource_manager();
    CursorResource* found = nullptr;
    TF_RETURN_IF_ERROR(resources->Lookup<CursorResource>(resources->default_container(),
                                                         name_, &found));
    cursor->reset(found);
    if (found->has_cursor()) return absl::OkStatus();
    return absl::FailedPreconditionError("no iteration over the dataset has begun");
  }

 private:
  std::string name_;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_CURSOR_OP_H_
