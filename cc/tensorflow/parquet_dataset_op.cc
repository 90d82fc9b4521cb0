// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// The op that makes a dataset of what the graph holds.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/full_type_util.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/cursor_resource.h"
#include "tensorflow/parquet_dataset.h"
#include "tensorflow/parquet_iterator.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::OpKernelContext;
using tensorflow::tstring;
using tensorflow::data::ParseScalarArgument;
using tensorflow::data::ParseVectorArgument;

REGISTER_OP("RowfeedParquetDataset")
    .Input("paths: string")
    .Input("names: string")
    .Input("partitions: string")
    .Input("options: string")
    .Input("group_rows: int64")
    .Input("fingerprints: string")
    .Input("num_files: int64")
    .Input("num_groups: int64")
    .Input("first_epoch: int64")
    .Input("cursor_name: string")
    .Output("handle: variant")
    .Attr("components: list(int) >= 1")
    .Attr("batched: bool")
    .Attr("selected: list(int) = []")
    .Attr("output_types: list(type) >= 1")
    .Attr("output_shapes: list(shape) >= 1")
    .Attr("metadata: string = ''")
    .SetDoNotOptimize()
    .SetTypeConstructor(tensorflow::full_type::VariadicTensorContainer(
        tensorflow::TFT_DATASET, "output_types"))
    .SetShapeFn(tensorflow::shape_inference::ScalarShape)
    .Doc(R"doc(
Batches of rows of Parquet files, shuffled, sharded and resumable.

paths: paths of the files. They are opened here only if no cursor of that name was made.
names: names of the files, relative to their roots.
partitions: for each file, the directories of its path that are columns.
options: serialized stream options.
group_rows: number of rows of each row group, in the order of the catalogs. The order of
  rows is computed from them.
fingerprints: fingerprints of the catalogs: one for each source of a mixture, else one.
num_files: for each source, how many of `paths` and `names` belong to it.
num_groups: for each source, how many of `group_rows` belong to it.
first_epoch: the epoch at which random access begins, and a cursor that is made here.
cursor_name: name of the resource from which iterators take their epochs. It is no
  attribute, as TensorFlow keeps a kernel for ever for each value of an attribute.
components: for each component of an element, an index of the outputs of the stream; -1:
  whether each row is not fill; -2: the same as weights of type float32.
batched: if false, batches have one row, and elements have no batch dimension.
selected: the row groups of sources that do not have all of their files' row groups: the
  number of the source, of the file in the source, and of the row group in the file.
)doc");

class ParquetDatasetOp : public tensorflow::data::DatasetOpKernel {
 public:
  explicit ParquetDatasetOp(tensorflow::OpKernelConstruction* ctx)
      : DatasetOpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("components", &attrs_.layout.components));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("batched", &attrs_.layout.batched));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("selected", &attrs_.selected));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("output_types", &attrs_.dtypes));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("output_shapes", &attrs_.shapes));
  }

 protected:
  void MakeDataset(OpKernelContext* ctx,
                   tensorflow::data::DatasetBase** output) override {
    DatasetParams params = attrs_;
    OP_REQUIRES_OK(ctx, ReadInputs(ctx, &params));
    tensorflow::core::RefCountPtr<CursorResource> cursor;
    OP_REQUIRES_OK(ctx, CursorResource::FindOrMake(ctx->resource_manager(),
                                                   params.cursor_name, &cursor));
    *output =
        new ParquetDataset(tensorflow::data::DatasetContext(ctx), std::move(params),
                           std::move(cursor), &MakeParquetIterator);
  }

 private:
  static absl::Status ReadInputs(OpKernelContext* ctx, DatasetParams* params) {
    tstring options;
    TF_RETURN_IF_ERROR(ParseScalarArgument(ctx, "options", &options));
    TF_RETURN_IF_ERROR(ParseScalarArgument(ctx, "first_epoch", &params->first_epoch));
    tstring cursor_name;
    TF_RETURN_IF_ERROR(ParseScalarArgument(ctx, "cursor_name", &cursor_name));
    params->cursor_name = cursor_name;
    TF_RETURN_IF_ERROR(ReadSources(ctx, params));
    ROWFEED_TF_ASSIGN_OR_RETURN(params->options, StreamOptions::Parse(options));
    params->options.inline_strings = true;  // tstrings hold short strings inline
    const size_t num_sources =
        params->options.mixture ? params->options.mixture->sources.size() : 1;
    if (params->sources.size() != num_sources) {
      return absl::InvalidArgumentError(
          "there must be as many fingerprints as sources");
    }
    return params->layout.Validate(CountOutputs(params->options.columns),
                                   params->dtypes.size());
  }

  // Divides the files and row groups among the sources.
  static absl::Status ReadSources(OpKernelContext* ctx, DatasetParams* params) {
    std::vector<tstring> paths;
    std::vector<tstring> names;
    std::vector<tstring> partitions;
    std::vector<tstring> fingerprints;
    std::vector<int64_t> group_rows;
    std::vector<int64_t> num_files;
    std::vector<int64_t> num_groups;
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "paths", &paths));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "names", &names));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "partitions", &partitions));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "fingerprints", &fingerprints));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "group_rows", &group_rows));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "num_files", &num_files));
    TF_RETURN_IF_ERROR(ParseVectorArgument(ctx, "num_groups", &num_groups));
    const auto adds_up = [&](const std::vector<int64_t>& counts, size_t total) {
      int64_t left = static_cast<int64_t>(total);
      for (const int64_t count : counts) {
        if (count < 0 || count > left) return false;
        left -= count;
      }
      return left == 0 && counts.size() == fingerprints.size();
    };
    if (paths.size() != names.size() || paths.size() != partitions.size() ||
        !adds_up(num_files, paths.size()) || !adds_up(num_groups, group_rows.size())) {
      return absl::InvalidArgumentError(
          "paths, names and partitions, and the counts of the sources, must agree");
    }
    size_t file_index = 0;
    auto group = group_rows.begin();
    for (size_t i = 0; i < fingerprints.size(); ++i) {
      CursorResource::Source source;
      source.fingerprint = fingerprints[i];
      for (int64_t k = 0; k < num_files[i]; ++k, ++file_index) {
        CatalogFile file;
        file.path = paths[file_index];
        file.name = names[file_index];
        file.partitions = partitions[file_index];
        source.files.push_back(std::move(file));
      }
      params->sources.push_back(std::move(source));
      params->group_rows.push_back(
          std::make_shared<const std::vector<int64_t>>(group, group + num_groups[i]));
      group += num_groups[i];
    }
    return ReadSelected(params);
  }

  // Reads the attribute `selected`, which may come from a damaged graph.
  static absl::Status ReadSelected(DatasetParams* params) {
    const std::vector<int64_t>& selected = params->selected;
    if (selected.size() % 3 != 0) {
      return absl::InvalidArgumentError("selected has three numbers for a row group");
    }
    const auto num_sources = static_cast<int64_t>(params->sources.size());
    for (size_t i = 0; i < selected.size(); i += 3) {
      if (selected[i] < 0 || selected[i] >= num_sources) {
        return absl::InvalidArgumentError("selected names a source that is not there");
      }
      params->sources[selected[i]].selected.emplace_back(selected[i + 1],
                                                         selected[i + 2]);
    }
    return absl::OkStatus();
  }

  DatasetParams attrs_;  // what the op's attributes say
};

REGISTER_KERNEL_BUILDER(Name("RowfeedParquetDataset").Device(tensorflow::DEVICE_CPU),
                        ParquetDatasetOp);

}  // namespace
}  // namespace rowfeed::tfdata
