// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/parquet_iterator.h"

#include <array>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/stream/epochs/epoch_data.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/epochs/restored_epochs.h"
#include "core/stream/open_streams.h"
#include "tensorflow/core/framework/cancellation.h"
#include "tensorflow/core/platform/errors.h"
#include "tensorflow/element.h"
#include "tensorflow/lying_files.h"
#include "tensorflow/pull.h"
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::Tensor;
using tensorflow::data::IteratorContext;
using tensorflow::data::IteratorStateReader;
using tensorflow::data::IteratorStateWriter;
using tensorflow::data::SerializationContext;

// The name of an iterator's entry in a checkpoint: the phase and the fields of a
// Progress, then the dataset's identity. It is short because a pipeline can have many
// iterators.
constexpr char kState[] = "state";
constexpr size_t kNumNumbers = 5;
// The name of a second entry, for growing data sets: the fingerprint of the epoch;
// empty if it has not begun.
constexpr char kSnapshot[] = "snapshot";

// How many epochs in a row may fail to begin. A consumer that ignores errors asks again
// at once, within one op. This limit ends it where no batch comes after the errors.
constexpr int kMostFailedBegins = 3;

// Splits a state into its numbers and the identity after them.
absl::Status ParseState(absl::string_view state,
                        std::array<int64_t, kNumNumbers>* numbers,
                        absl::string_view* identity) {
  for (int64_t& number : *numbers) {
    const size_t end = state.find(' ');
    if (end == absl::string_view::npos ||
        !absl::SimpleAtoi(state.substr(0, end), &number)) {
      return absl::InvalidArgumentError("The checkpoint's position is malformed");
    }
    state.remove_prefix(end + 1);
  }
  *identity = state;
  return absl::OkStatus();
}

}  // namespace

ParquetIterator::~ParquetIterator() {
  Cancel();
  deregister_cancellation_();
  if (stream_) stream_->Close();
}

absl::Status ParquetIterator::Initialize(IteratorContext* ctx) {
  const DatasetParams& params = dataset()->params();
  TF_RETURN_IF_ERROR(dataset()->OpenPlace(&place_));
  cursor_ = place_->cursor();
  stream_ = OpenStream(cursor_, params.options);
  TF_RETURN_IF_ERROR(params.layout.CheckTypes(stream_->outputs(), params.dtypes));
  const auto providers = ctx->split_providers();
  if (!providers.empty()) {
    splits_ =
        std::make_unique<SplitReader>(providers[0], cursor_->rows(), params.options);
  }
  return tensorflow::RegisterCancellationCallback(
      ctx->cancellation_manager(), [this] { Cancel(); }, &deregister_cancellation_);
}

void ParquetIterator::Begin() {
  if (phase_ == kRunning) return;
  phase_ = kRunning;
  if (!splits_) place_->Begin(stream_);
}

bool ParquetIterator::IsOver() const {
  return phase_ == kEnded || failed_begins_ == kMostFailedBegins;
}

void ParquetIterator::CountBegin(const absl::Status& status) {
  const bool has_begun = status.ok() || splits_ || stream_->is_running();
  failed_begins_ = has_begun ? 0 : failed_begins_ + 1;
}

void ParquetIterator::Cancel() {
  if (stream_) stream_->Cancel();
  if (splits_) splits_->Cancel();
}

absl::Status ParquetIterator::GetNextInternal(IteratorContext* ctx,
                                              std::vector<Tensor>* out_tensors,
                                              bool* end_of_sequence) {
  if (IsByIndex(ctx)) {
    is_by_index_ = true;
    return by_index_.GetNext(ctx, out_tensors, end_of_sequence);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  *end_of_sequence = IsOver();
  if (*end_of_sequence) return absl::OkStatus();
  Begin();
  Batch batch;
  // The time of waiting is not recorded: it is no work, and TensorFlow's model cannot
  // tune the threads that work meanwhile.
  RecordStop(ctx);
  absl::Status status = splits_ ? splits_->Next(&batch, end_of_sequence)
                                : Pull(stream_.get(), &batch, end_of_sequence);
  RecordStart(ctx);
  CountBegin(status);
  LogLyingFiles(cursor_->sources());
  if (!status.ok()) return status;
  if (*end_of_sequence) {
    phase_ = kEnded;
    return absl::OkStatus();
  }
  conversion_.Begin(batch);
  MakeElement(dataset()->params().layout, stream_->outputs(), batch, out_tensors);
  conversion_.End(stream_.get());
  return absl::OkStatus();
}

absl::Status ParquetIterator::SkipInternal(IteratorContext* ctx, int num_to_skip,
                                           bool* end_of_sequence, int* num_skipped) {
  if (IsByIndex(ctx) || splits_) {
    return DatasetIterator::SkipInternal(ctx, num_to_skip, end_of_sequence,
                                         num_skipped);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  *num_skipped = 0;
  *end_of_sequence = IsOver();
  if (*end_of_sequence) return absl::OkStatus();
  Begin();
  const Result<int64_t> skipped = stream_->Skip(num_to_skip);
  absl::Status status = ToTensorFlow(skipped.status());
  CountBegin(status);
  if (!status.ok()) return status;
  *num_skipped = static_cast<int>(*skipped);
  *end_of_sequence = *num_skipped < num_to_skip;
  if (*end_of_sequence) phase_ = kEnded;
  return absl::OkStatus();
}

absl::Status ParquetIterator::SaveInternal(SerializationContext* ctx,
                                           IteratorStateWriter* writer) {
  if (splits_) {
    return absl::UnimplementedError(
        "An iterator over splits has no position: its splits are handed out as they "
        "are "
        "asked for");
  }
  if (is_by_index_) return by_index_.Save(prefix(), ctx, writer);
  // TensorFlow saves an iterator even if its Initialize has failed.
  if (!cursor_) return absl::FailedPreconditionError("The data was not opened");
  const std::lock_guard<std::mutex> lock(mutex_);
  const Progress progress = phase_ == kRunning ? stream_->progress() : cursor_->Peek();
  if (EpochDataOf(dataset()->params().options).is_listed_anew) {
    TF_RETURN_IF_ERROR(writer->WriteScalar(prefix(), kSnapshot,
                                           cursor_->FingerprintOf(progress.epoch)));
  }
  return writer->WriteScalar(
      prefix(), kState,
      absl::StrCat(static_cast<int>(phase_), " ", progress.epoch, " ", progress.row,
                   " ", progress.next_epoch, " ", progress.epochs_done, " ",
                   dataset()->identity()));
}

absl::Status ParquetIterator::RestoreInternal(IteratorContext* ctx,
                                              IteratorStateReader* reader) {
  if (WasByIndex(ctx)) {
    is_by_index_ = true;
    return by_index_.Restore(prefix(), ctx, reader);
  }
  tensorflow::tstring state;
  TF_RETURN_IF_ERROR(reader->ReadScalar(prefix(), kState, &state));
  std::array<int64_t, kNumNumbers> fields{};
  absl::string_view identity;
  TF_RETURN_IF_ERROR(ParseState(state, &fields, &identity));
  TF_RETURN_IF_ERROR(dataset()->CheckIdentity(identity));
  if (fields[0] < kNotBegun || fields[0] > kEnded) {
    return absl::InvalidArgumentError(
        absl::StrCat("The checkpoint's position is in no phase: ", fields[0]));
  }
  if (EpochDataOf(dataset()->params().options).is_listed_anew) {
    tensorflow::tstring snapshot;
    TF_RETURN_IF_ERROR(reader->ReadScalar(prefix(), kSnapshot, &snapshot));
    if (!snapshot.empty()) {
      ROWFEED_TF_RETURN_NOT_OK(
          cursor_->Resume(fields[1], snapshot, /*may_be_gone=*/false));
    }
  }
  return Resume(ctx, static_cast<Phase>(fields[0]),
                {fields[1], fields[2], fields[3], fields[4]});
}

absl::Status ParquetIterator::Resume(IteratorContext* ctx, Phase phase,
                                     const Progress& progress) {
  ROWFEED_TF_RETURN_NOT_OK(progress.Validate(
      MaxRowsIn(dataset()->params().options, cursor_->sources(), progress.epoch)));
  const std::lock_guard<std::mutex> lock(mutex_);
  const int64_t saved_next = phase == kRunning ? progress.next_epoch : progress.epoch;
  const int64_t next_epoch = place_->RestoredNextEpoch(ctx->id_registry(), saved_next);
  if (phase == kRunning) {
    Progress resumed = progress;
    resumed.next_epoch = next_epoch;
    ROWFEED_TF_RETURN_NOT_OK(stream_->Restore(resumed));
    Begin();
    return absl::OkStatus();
  }
  phase_ = phase;
  // The iterator holds no epoch, so it restores what it saw of the cursor.
  cursor_->Move(RestoredPlace(progress, next_epoch));
  return absl::OkStatus();
}

std::shared_ptr<tensorflow::data::model::Node> ParquetIterator::CreateNode(
    IteratorContext* /*ctx*/, tensorflow::data::model::Node::Args args) const {
  return tensorflow::data::model::MakeSourceNode(std::move(args));
}

tensorflow::data::TraceMeMetadata ParquetIterator::GetTraceMeMetadata() const {
  const StreamOptions& options = dataset()->params().options;
  return {{"batch_size", absl::StrCat(options.delivery.batch_size)},
          {"num_threads", absl::StrCat(options.num_threads)}};
}

std::unique_ptr<tensorflow::data::IteratorBase> MakeParquetIterator(
    const ParquetDataset* dataset, const std::string& prefix) {
  return std::make_unique<ParquetIterator>(ParquetIterator::Params{dataset, prefix});
}

}  // namespace rowfeed::tfdata
