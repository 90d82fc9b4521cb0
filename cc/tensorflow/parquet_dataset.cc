// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/parquet_dataset.h"

#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/filter/filter_columns.h"
#include "core/plan/random.h"
#include "core/stream/batch_stream.h"
#include "tensorflow/core/data/name_utils.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/parquet_iterator.h"
#include "tensorflow/split_provider.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Node;
using tensorflow::Tensor;
using tensorflow::tstring;
using tensorflow::data::AnyContext;

// Every iterator of a checkpoint carries it, so it is short: values, with one space
// between, that CheckIdentity names.
std::string Identity(const DatasetParams& params) {
  const OrderOptions& order = params.options.order;
  return absl::StrJoin(
      std::make_tuple(params.source.fingerprint, kOrderVersion, int{order.shuffle},
                      order.seed, order.shuffle_window, order.block_rows,
                      order.num_lanes, params.options.pinned_epoch.value_or(-1),
                      FilterDigest(params.options.filter)),
      " ");
}

}  // namespace

ParquetDataset::ParquetDataset(tensorflow::data::DatasetContext&& ctx,
                               DatasetParams params,
                               tensorflow::core::RefCountPtr<CursorResource> cursor)
    : DatasetBase(std::move(ctx)),
      params_(std::move(params)),
      cursor_(std::move(cursor)),
      identity_(Identity(params_)),
      steps_(&params_) {}

absl::Status ParquetDataset::CheckIdentity(absl::string_view saved) const {
  constexpr std::array kNames{"data",      "order version",  "shuffle",
                              "seed",      "shuffle_window", "block_rows",
                              "num_lanes", "pinned epoch",   "filter"};
  const std::vector<absl::string_view> theirs = absl::StrSplit(saved, ' ');
  const std::vector<absl::string_view> ours = absl::StrSplit(identity_, ' ');
  if (theirs.size() != kNames.size()) {
    return absl::InvalidArgumentError("The checkpoint's identity is malformed");
  }
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (theirs[i] == ours[i]) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("The checkpoint is of other data or another order: its ",
                     kNames[i], " is ", theirs[i], ", this dataset's ", ours[i]));
  }
  return absl::OkStatus();
}

absl::Status ParquetDataset::OpenCursor(std::shared_ptr<Cursor>* cursor) const {
  return cursor_->Open(params_.source, params_.options, cursor);
}

std::optional<int64_t> ParquetDataset::NumRows(bool may_count) const {
  if (params_.options.filter.empty()) {
    return std::accumulate(params_.group_rows->begin(), params_.group_rows->end(),
                           int64_t{0});
  }
  std::shared_ptr<Cursor> cursor;
  // What is wrong with the data is said when it is pulled.
  if (!(may_count || cursor_->has_cursor()) || !OpenCursor(&cursor).ok()) return {};
  if (!(may_count || cursor->rows()->is_known())) return {};
  const Result<int64_t> counted = cursor->rows()->NumRows();
  return counted.ok() ? std::optional(*counted) : std::nullopt;
}

int64_t ParquetDataset::CardinalityInternal(
    tensorflow::data::CardinalityOptions options) const {
  // Only rewrites ask for what is cheap; users do not say.
  const bool may_count = options.compute_level() !=
                         tensorflow::data::CardinalityOptions::CARDINALITY_COMPUTE_LOW;
  const std::optional<int64_t> num_rows = NumRows(may_count);
  if (!num_rows) return tensorflow::data::kUnknownCardinality;
  const int64_t steps = BatchesPerEpoch(*num_rows, 0, params_.options.delivery);
  if (steps == 0) return 0;
  if (params_.options.num_epochs == StreamOptions::kEndless) {
    return tensorflow::data::kInfiniteCardinality;
  }
  return params_.options.num_epochs * steps;
}

absl::Status ParquetDataset::InputDatasets(
    std::vector<const tensorflow::data::DatasetBase*>* inputs) const {
  inputs->clear();
  return absl::OkStatus();
}

absl::Status ParquetDataset::Get(tensorflow::OpKernelContext* ctx, int64_t index,
                                 std::vector<Tensor>* out_tensors) const {
  return Get(AnyContext(ctx), index, out_tensors);
}

absl::Status ParquetDataset::Get(AnyContext /*ctx*/, int64_t index,
                                 std::vector<Tensor>* out_tensors) const {
  TF_RETURN_IF_ERROR(CheckRandomAccessCompatible(index));
  std::shared_ptr<Cursor> cursor;
  TF_RETURN_IF_ERROR(OpenCursor(&cursor));
  return steps_.Read(cursor->rows(), index, out_tensors);
}

absl::Status ParquetDataset::MakeSplitProviders(
    std::vector<std::unique_ptr<tensorflow::data::SplitProvider>>* providers) const {
  if (params_.options.delivery.world_size > 1) {
    return absl::UnimplementedError(
        "Splits divide an epoch among readers themselves: use world_size=1");
  }
  EpochRows rows(params_.group_rows);
  if (!params_.options.filter.empty()) {
    std::shared_ptr<Cursor> cursor;
    TF_RETURN_IF_ERROR(OpenCursor(&cursor));
    ROWFEED_TF_ASSIGN_OR_RETURN(rows, cursor->rows()->Get());
  }
  providers->clear();
  providers->push_back(std::make_unique<WindowSplitProvider>(
      params_.options, std::move(rows), params_.source.first_epoch));
  return absl::OkStatus();
}

absl::Status ParquetDataset::AsGraphDefInternal(
    tensorflow::data::SerializationContext* /*ctx*/, DatasetGraphDefBuilder* builder,
    Node** output) const {
  std::vector<tstring> file_paths;
  std::vector<tstring> file_names;
  for (const CatalogFile& file : params_.source.files) {
    file_paths.emplace_back(file.path);
    file_names.emplace_back(file.name);
  }
  Node* paths = nullptr;
  Node* names = nullptr;
  Node* options = nullptr;
  Node* group_rows = nullptr;
  Node* fingerprint = nullptr;
  Node* first_epoch = nullptr;
  TF_RETURN_IF_ERROR(builder->AddVector(file_paths, &paths));
  TF_RETURN_IF_ERROR(builder->AddVector(file_names, &names));
  TF_RETURN_IF_ERROR(
      builder->AddScalar(tstring(params_.options.Serialize()), &options));
  TF_RETURN_IF_ERROR(builder->AddVector(*params_.group_rows, &group_rows));
  TF_RETURN_IF_ERROR(
      builder->AddScalar(tstring(params_.source.fingerprint), &fingerprint));
  TF_RETURN_IF_ERROR(builder->AddScalar(params_.source.first_epoch, &first_epoch));
  return builder->AddDataset(
      this, {paths, names, options, group_rows, fingerprint, first_epoch},
      {{"cursor_name", builder->BuildAttrValue(params_.cursor_name)},
       {"components", builder->BuildAttrValue(params_.layout.components)},
       {"batched", builder->BuildAttrValue(params_.layout.batched)}},
      output);
}

std::unique_ptr<tensorflow::data::IteratorBase> ParquetDataset::MakeIteratorInternal(
    const std::string& prefix) const {
  return std::make_unique<ParquetIterator>(ParquetIterator::Params{
      this, tensorflow::data::name_utils::IteratorPrefix("RowfeedParquet", prefix)});
}

}  // namespace rowfeed::tfdata
