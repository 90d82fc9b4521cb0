// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Ops by which Python makes, moves, reads and deletes the cursor of a dataset.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"
#include "core/stream/stats/stats.h"
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

using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;
using tensorflow::Tensor;
using tensorflow::TensorShape;
using tensorflow::tstring;
using tensorflow::data::ParseScalarArgument;
using tensorflow::data::ParseVectorArgument;

// Number of fields of a Progress, which are the elements of a tensor.
constexpr int64_t kProgressFields = 4;

// Sets the shapes of the outputs of a place, which are progress and fingerprint.
absl::Status PlaceShape(tensorflow::shape_inference::InferenceContext* ctx) {
  ctx->set_output(0, ctx->Vector(kProgressFields));
  ctx->set_output(1, ctx->Scalar());
  return absl::OkStatus();
}

REGISTER_OP("RowfeedCreateCursor")
    .Input("catalogs: string")
    .Input("options: string")
    .Input("survivors: string")
    .Input("first_epoch: int64")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Makes the cursor of a dataset, which hands out epochs from `first_epoch` on.

catalogs: the serialized catalog of each source.
options: serialized stream options. Only filters, threads and the memory budget matter.
survivors: for each source, which rows pass its filter, serialized; empty: it is not
  known.
)doc");

REGISTER_OP("RowfeedMoveCursor")
    .Input("progress: int64")
    .Input("fingerprint: string")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Sets where the next iteration over the dataset begins.

progress: epoch, row, next epoch and epochs done.
fingerprint: fingerprint that a growing data set had when the epoch began; empty: the
  epoch has not begun, or the data set does not grow.
)doc");

REGISTER_OP("RowfeedCursorProgress")
    .Output("progress: int64")
    .Output("fingerprint: string")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(PlaceShape)
    .Doc(R"doc(
Returns where the iteration that began last stands.

progress: epoch, row, next epoch and epochs done.
fingerprint: fingerprint that a growing data set had when the epoch began; empty: the
  epoch has not begun, or the data set does not grow.
)doc");

REGISTER_OP("RowfeedBeginEpoch")
    .Output("progress: int64")
    .Output("fingerprint: string")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(PlaceShape)
    .Doc(R"doc(
Returns where the next iteration will begin. A growing data set is listed now, unless
several ranks share a listing.

progress: epoch, row, next epoch and epochs done.
fingerprint: fingerprint of a growing data set in this epoch; empty: the data set does
  not grow, or the ranks have not listed it.
)doc");

REGISTER_OP("RowfeedCursorStats")
    .Output("stats: string")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::ScalarShape)
    .Doc(R"doc(
Returns what the iterations over the dataset have done in this process.

stats: JSON that python/rowfeed/_stats/json.py reads.
)doc");

REGISTER_OP("RowfeedDeleteCursor")
    .Attr("cursor_name: string")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs)
    .Doc(R"doc(
Forgets the cursor of a dataset. Iterators that use the cursor keep it.
)doc");

class CreateCursorOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override { OP_REQUIRES_OK(ctx, Create(ctx)); }

 private:
  absl::Status Create(OpKernelContext* ctx) const {
    std::vector<tstring> serialized;
    tstring options_bytes;
    std::vector<tstring> survivors;
    int64_t first_epoch = 0;
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "catalogs", &serialized));
    TF_RETURN_IF_ERROR(ParseScalarArgument(ctx, "options", &options_bytes));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "survivors", &survivors));
    TF_RETURN_IF_ERROR(ParseScalarArgument(ctx, "first_epoch", &first_epoch));
    ROWFEED_TF_ASSIGN_OR_RETURN(const auto options,
                                StreamOptions::Parse(options_bytes));
    const size_t num_sources = options.mixture ? options.mixture->sources.size() : 1;
    if (serialized.size() != num_sources || survivors.size() != num_sources) {
      return absl::InvalidArgumentError("there must be as many catalogs as sources");
    }
    SourceRows sources;
    for (size_t i = 0; i < serialized.size(); ++i) {
      ROWFEED_TF_ASSIGN_OR_RETURN(auto catalog, Catalog::Parse(serialized[i]));
      sources.push_back(
          std::make_shared<DatasetRows>(std::move(catalog), options.source(i)));
      ROWFEED_TF_RETURN_NOT_OK(sources[i]->Load(survivors[i]));
    }
    tensorflow::core::RefCountPtr<CursorResource> resource;
    TF_RETURN_IF_ERROR(
        CursorResource::FindOrMake(ctx->resource_manager(), cursor_name(), &resource));
    resource->Give(MakeCursor(std::move(sources), options, first_epoch));
    return absl::OkStatus();
  }
};

class MoveCursorOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override {
    const Tensor& progress = ctx->input(0);
    OP_REQUIRES(ctx, progress.NumElements() == kProgressFields,
                absl::InvalidArgumentError("progress must have 4 elements"));
    tensorflow::core::RefCountPtr<CursorResource> cursor;
    OP_REQUIRES_OK(ctx, FindCursor(ctx, &cursor));
    tstring fingerprint;
    OP_REQUIRES_OK(ctx, ParseScalarArgument(ctx, "fingerprint", &fingerprint));
    const auto fields = progress.flat<int64_t>();
    if (!fingerprint.empty()) {
      OP_REQUIRES_OK(ctx, ToTensorFlow(cursor->Resume(fields(0), fingerprint)));
    }
    cursor->Move({fields(0), fields(1), fields(2), fields(3)});
  }
};

class PlaceOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override { OP_REQUIRES_OK(ctx, Say(ctx)); }

 protected:
  virtual Result<Progress> Find(CursorResource* cursor) const = 0;

 private:
  absl::Status Say(OpKernelContext* ctx) const {
    tensorflow::core::RefCountPtr<CursorResource> cursor;
    TF_RETURN_IF_ERROR(FindCursor(ctx, &cursor));
    ROWFEED_TF_ASSIGN_OR_RETURN(const Progress place, Find(cursor.get()));
    Tensor* output = nullptr;
    TF_RETURN_IF_ERROR(
        ctx->allocate_output(0, TensorShape({kProgressFields}), &output));
    output->flat<int64_t>().setValues(
        {place.epoch, place.row, place.next_epoch, place.epochs_done});
    TF_RETURN_IF_ERROR(ctx->allocate_output(1, TensorShape({}), &output));
    output->scalar<tstring>()() = cursor->FingerprintOf(place.epoch);
    return absl::OkStatus();
  }
};

class CursorProgressOp : public PlaceOp {
 public:
  using PlaceOp::PlaceOp;

 protected:
  Result<Progress> Find(CursorResource* cursor) const override {
    return cursor->Latest();
  }
};

class BeginEpochOp : public PlaceOp {
 public:
  using PlaceOp::PlaceOp;

 protected:
  Result<Progress> Find(CursorResource* cursor) const override {
    return cursor->BeginNext();
  }
};

class CursorStatsOp : public CursorOp {
 public:
  using CursorOp::CursorOp;

  void Compute(OpKernelContext* ctx) override {
    tensorflow::core::RefCountPtr<CursorResource> cursor;
    OP_REQUIRES_OK(ctx, FindCursor(ctx, &cursor));
    Tensor* output = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, TensorShape({}), &output));
    output->scalar<tstring>()() = ToJson(cursor->stats());
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

REGISTER_KERNEL_BUILDER(Name("RowfeedCreateCursor").Device(tensorflow::DEVICE_CPU),
                        CreateCursorOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedMoveCursor").Device(tensorflow::DEVICE_CPU),
                        MoveCursorOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedCursorProgress").Device(tensorflow::DEVICE_CPU),
                        CursorProgressOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedBeginEpoch").Device(tensorflow::DEVICE_CPU),
                        BeginEpochOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedCursorStats").Device(tensorflow::DEVICE_CPU),
                        CursorStatsOp);
REGISTER_KERNEL_BUILDER(Name("RowfeedDeleteCursor").Device(tensorflow::DEVICE_CPU),
                        DeleteCursorOp);

}  // namespace
}  // namespace rowfeed::tfdata
