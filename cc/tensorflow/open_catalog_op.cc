// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// The op by which Python opens files that only file systems of TensorFlow reach.
#include "tensorflow/core/framework/op.h"

#include <algorithm>
#include <cstdint>
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
    .Output("notices: string")
    .Attr("all_columns: bool")
    .Attr("num_threads: int")
    .Attr("partitions_from: int")
    .Attr("partitions_base: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::UnknownShape)
    .Doc(R"doc(
Opens a data set whose files may lie in TensorFlow's file systems.

paths: files, directories and globs.
columns: names of the columns that will be read.
catalog: the serialized catalog.
notices: sentences for the user about files that are left out or listed twice.
all_columns: whether all columns of the first file are read; `columns` is then ignored.
num_threads: number of threads that read footers.
partitions_from: number of a PartitionRule::From.
partitions_base: the base directory, if the rule needs one.
)doc");

class OpenCatalogOp : public tensorflow::OpKernel {
 public:
  explicit OpenCatalogOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("all_columns", &all_columns_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("num_threads", &num_threads_));
    int from = 0;
    OP_REQUIRES_OK(ctx, ctx->GetAttr("partitions_from", &from));
    rule_.from = static_cast<PartitionRule::From>(from);
    OP_REQUIRES_OK(ctx, ctx->GetAttr("partitions_base", &rule_.base));
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
    Notices notices;
    ROWFEED_TF_ASSIGN_OR_RETURN(const auto catalog,
                                Catalog::Open({paths.begin(), paths.end()}, columns,
                                              num_threads_, nullptr, &notices, rule_));
    tensorflow::Tensor* output = nullptr;
    TF_RETURN_IF_ERROR(ctx->allocate_output(0, tensorflow::TensorShape({}), &output));
    output->scalar<tstring>()() = catalog->Serialize();
    const auto num_notices = static_cast<int64_t>(notices.size());
    TF_RETURN_IF_ERROR(
        ctx->allocate_output(1, tensorflow::TensorShape({num_notices}), &output));
    std::copy(notices.begin(), notices.end(), output->vec<tstring>().data());
    return absl::OkStatus();
  }

  bool all_columns_ = false;
  int num_threads_ = 1;
  PartitionRule rule_;
};

REGISTER_KERNEL_BUILDER(Name("RowfeedOpenCatalog").Device(tensorflow::DEVICE_CPU),
                        OpenCatalogOp);

}  // namespace
}  // namespace rowfeed::tfdata
