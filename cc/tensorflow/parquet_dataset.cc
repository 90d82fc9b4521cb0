// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/parquet_dataset.h"

#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/stream/batch_stream.h"
#include "core/stream/epochs/epoch_data.h"
#include "core/stream/epochs/iteration_steps.h"
#include "core/stream/options/order_identity.h"
#include "tensorflow/core/data/name_utils.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/lying_files.h"
#include "tensorflow/split_provider.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Node;
using tensorflow::Tensor;
using tensorflow::tstring;

// Returns what a checkpoint must agree with. Every iterator in a checkpoint has the
// values, so they are short.
std::vector<OrderValue> IdentityValues(const DatasetParams& params) {
  std::vector<std::string> fingerprints;
  fingerprints.reserve(params.sources.size());
  for (const auto& source : params.sources) fingerprints.push_back(source.fingerprint);
  return OrderIdentity(params.options, fingerprints);
}

std::string Identity(const DatasetParams& params) {
  return absl::StrJoin(
      IdentityValues(params), " ",
      [](std::string* out, const OrderValue& each) { out->append(each.value); });
}

}  // namespace

ParquetDataset::ParquetDataset(tensorflow::data::DatasetContext&& ctx,
                               DatasetParams params,
                               tensorflow::core::RefCountPtr<CursorResource> cursor,
                               MakeIterator make_iterator)
    : DatasetBase(std::move(ctx)),
      params_(std::move(params)),
      cursor_(std::move(cursor)),
      identity_(Identity(params_)),
      make_iterator_(make_iterator),
      steps_(&params_) {}

absl::Status ParquetDataset::CheckIdentity(absl::string_view saved) const {
  const std::vector<absl::string_view> theirs = absl::StrSplit(saved, ' ');
  const std::vector<OrderValue> ours = IdentityValues(params_);
  if (theirs.size() != ours.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The checkpoint's identity has ", theirs.size(), " fields, not ",
                     ours.size(), ": it is malformed, or of other sources"));
  }
  for (size_t i = 0; i < ours.size(); ++i) {
    if (theirs[i] == ours[i].value) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "The checkpoint is of other data or another order: its ", ours[i].name, " is ",
        theirs[i], ", this dataset's ", ours[i].value));
  }
  return absl::OkStatus();
}

absl::Status ParquetDataset::OpenPlace(std::shared_ptr<DatasetPlace>* place) const {
  return cursor_->Open(params_.sources, params_.options, params_.first_epoch, place);
}

std::optional<std::vector<int64_t>> ParquetDataset::NumSourceRows(
    bool may_count) const {
  std::vector<int64_t> rows;
  bool has_filter = false;
  for (size_t i = 0; i < params_.group_rows.size(); ++i) {
    const std::vector<int64_t>& groups = *params_.group_rows[i];
    rows.push_back(std::accumulate(groups.begin(), groups.end(), int64_t{0}));
    has_filter |= !params_.options.source(i).filter.empty();
  }
  if (!has_filter) return rows;
  std::shared_ptr<DatasetPlace> place;
  // An error in the data is reported when a batch is pulled.
  if (!(may_count || cursor_->has_place()) || !OpenPlace(&place).ok()) return {};
  const SourceRows& sources = place->cursor()->sources();
  for (size_t i = 0; i < rows.size(); ++i) {
    DatasetRows& source = *sources[i];
    if (!(may_count || source.is_known())) return {};
    const Result<int64_t> counted = source.NumRows();
    if (!counted.ok()) return {};
    rows[i] = *counted;
  }
  LogLyingFiles(sources);
  return rows;
}

int64_t ParquetDataset::CardinalityInternal(
    tensorflow::data::CardinalityOptions options) const {
  if (EpochDataOf(params_.options).is_listed_anew)
    return tensorflow::data::kUnknownCardinality;
  // Only graph rewrites ask for a cheap answer. Users do not say, so rows may be
  // counted for them.
  const bool may_count = options.compute_level() !=
                         tensorflow::data::CardinalityOptions::CARDINALITY_COMPUTE_LOW;
  const std::optional<std::vector<int64_t>> rows = NumSourceRows(may_count);
  if (!rows) return tensorflow::data::kUnknownCardinality;
  const NumSteps steps = StepsOfIteration(params_.options, *rows, params_.first_epoch);
  if (steps.endless) return tensorflow::data::kInfiniteCardinality;
  return steps.count.value_or(int64_t{tensorflow::data::kUnknownCardinality});
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
  if (EpochDataOf(params_.options).is_listed_anew) {
    return absl::UnimplementedError("A growing data set has no random access");
  }
  TF_RETURN_IF_ERROR(CheckRandomAccessCompatible(index));
  std::shared_ptr<DatasetPlace> place;
  TF_RETURN_IF_ERROR(OpenPlace(&place));
  return steps_.Read(place->cursor()->sources(), index, out_tensors);
}

absl::Status ParquetDataset::MakeSplitProviders(
    std::vector<std::unique_ptr<tensorflow::data::SplitProvider>>* providers) const {
  if (params_.options.delivery.world_size > 1) {
    return absl::UnimplementedError(
        "Splits divide an epoch among readers themselves: use world_size=1");
  }
  if (params_.options.delivery.remainder == Remainder::kWrap) {
    return absl::UnimplementedError(
        "Splits end with their window, so remainder=\"wrap\" would leave rows out: use "
        "\"pad\" or \"uneven\"");
  }
  if (EpochDataOf(params_.options).is_listed_anew) {
    return absl::UnimplementedError("A growing data set cannot be divided into splits");
  }
  if (params_.options.mixture) {
    return absl::UnimplementedError("A mixture cannot be divided into splits");
  }
  EpochRows rows(params_.group_rows[0]);
  if (!params_.options.filter.empty()) {
    std::shared_ptr<DatasetPlace> place;
    TF_RETURN_IF_ERROR(OpenPlace(&place));
    ROWFEED_TF_ASSIGN_OR_RETURN(rows, place->cursor()->rows()->Get());
  }
  providers->clear();
  providers->push_back(std::make_unique<WindowSplitProvider>(
      params_.options, std::move(rows), params_.first_epoch));
  return absl::OkStatus();
}

absl::Status ParquetDataset::AsGraphDefInternal(
    tensorflow::data::SerializationContext* /*ctx*/, DatasetGraphDefBuilder* builder,
    Node** output) const {
  std::vector<tstring> file_paths;
  std::vector<tstring> file_names;
  std::vector<tstring> file_partitions;
  std::vector<tstring> prints;
  std::vector<int64_t> file_counts;
  std::vector<int64_t> all_rows;
  std::vector<int64_t> group_counts;
  for (size_t i = 0; i < params_.sources.size(); ++i) {
    const CursorResource::Source& source = params_.sources[i];
    for (const CatalogFile& file : source.files) {
      file_paths.emplace_back(file.path);
      file_names.emplace_back(file.name);
      file_partitions.emplace_back(file.partitions);
    }
    prints.emplace_back(source.fingerprint);
    file_counts.push_back(static_cast<int64_t>(source.files.size()));
    const std::vector<int64_t>& rows = *params_.group_rows[i];
    all_rows.insert(all_rows.end(), rows.begin(), rows.end());
    group_counts.push_back(static_cast<int64_t>(rows.size()));
  }
  Node* paths = nullptr;
  Node* names = nullptr;
  Node* partitions = nullptr;
  Node* options = nullptr;
  Node* group_rows = nullptr;
  Node* fingerprints = nullptr;
  Node* num_files = nullptr;
  Node* num_groups = nullptr;
  Node* first_epoch = nullptr;
  Node* cursor_name = nullptr;
  TF_RETURN_IF_ERROR(builder->AddVector(file_paths, &paths));
  TF_RETURN_IF_ERROR(builder->AddVector(file_names, &names));
  TF_RETURN_IF_ERROR(builder->AddVector(file_partitions, &partitions));
  TF_RETURN_IF_ERROR(
      builder->AddScalar(tstring(params_.options.Serialize()), &options));
  TF_RETURN_IF_ERROR(builder->AddVector(all_rows, &group_rows));
  TF_RETURN_IF_ERROR(builder->AddVector(prints, &fingerprints));
  TF_RETURN_IF_ERROR(builder->AddVector(file_counts, &num_files));
  TF_RETURN_IF_ERROR(builder->AddVector(group_counts, &num_groups));
  TF_RETURN_IF_ERROR(builder->AddScalar(params_.first_epoch, &first_epoch));
  TF_RETURN_IF_ERROR(builder->AddScalar(tstring(params_.cursor_name), &cursor_name));
  return builder->AddDataset(
      this,
      {paths, names, partitions, options, group_rows, fingerprints, num_files,
       num_groups, first_epoch, cursor_name},
      {{"components", builder->BuildAttrValue(params_.layout.components)},
       {"batched", builder->BuildAttrValue(params_.layout.batched)},
       {"selected", builder->BuildAttrValue(params_.selected)}},
      output);
}

std::unique_ptr<tensorflow::data::IteratorBase> ParquetDataset::MakeIteratorInternal(
    const std::string& prefix) const {
  return make_iterator_(
      this, tensorflow::data::name_utils::IteratorPrefix("RowfeedParquet", prefix));
}

}  // namespace rowfeed::tfdata
