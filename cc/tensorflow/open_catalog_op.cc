// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How Python opens files that only file systems of TensorFlow reach.
#include "tensorflow/core/framework/op.h"

#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;
using tensorflow::tstring;

REGISTER_OP("RowfeedOpenCatalog")
    .Input("paths: string")
    .Input("columns: string")
    .Output("catalog: string")
    .Attr("all_columns: bool")
    .Attr("num_threads: int")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::ScalarShape)
    .Doc(R"doc(
Opens a data set by paths that TensorFlow's file systems may know.

paths: files, directories, globs.
columns: those that will be read.
catalog: serialized.
all_columns: `columns` are all columns of the first file.
num_threads: that read footers.
)doc");

class OpenCatalogOp : public tensorflow::OpKernel {
 public:
  explicit OpenCatalogOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("all_columns", &all_columns_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("num_threads", &num_threads_));
  }

  void Compute(OpKernelContext* ctx) override { OP_REQUIRES_OK(ctx, Open(ctx)); }

 private:
  absl::Status Open(OpKernelContext* ctx) const {
    std::vector<tstring> paths;
    std::vector<tstring> names;
    using tensorflow::data::ParseVectorArgument;
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "paths", &paths));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "columns", &names));
    std::optional<std::vector<std::string>> columns;
    if (!all_columns_) columns.emplace(names.begin(), names.end());
    ROWFEED_TF_ASSIGN_OR_RETURN(
        const auto catalog,
        Catalog::Open({paths.begin(), paths.end()}, columns, num_threads_));
    tensorflow::Tensor* output = nullptr;
    TF_RETURN_IF_ERROR(ctx->allocate_output(0, tensorflow::TensorShape({}), &output));
    output->scalar<tstring>()() = catalog->Serialize();
    return absl::OkStatus();
  }

  bool all_columns_ = false;
  int num_threads_ = 1;
};

REGISTER_KERNEL_BUILDER(Name("RowfeedOpenCatalog").Device(tensorflow::DEVICE_CPU),
                        OpenCatalogOp);

}  // namespace
}  // namespace rowfeed::tfdata
