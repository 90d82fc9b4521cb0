// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/stream_epochs.h"

#include <string>

#include "core/filter/expression/filter_columns.h"
#include "core/plan/delivery.h"
#include "core/stream/epochs/epoch_data.h"
#include "core/stream/epochs/plan_epoch.h"

namespace rowfeed {
namespace {

// Refuses options with which no epoch has a batch. Where epochs are listed anew, a
// later one may have enough rows.
Status CheckSteps(const StreamOptions& options, int64_t num_rows) {
  const DeliveryOptions& delivery = options.delivery;
  if (delivery.remainder != Remainder::kDrop || EpochDataOf(options).is_listed_anew ||
      num_rows == 0 || num_rows >= delivery.global_batch()) {
    return {};
  }
  return Status::Invalid(
      "remainder='drop' leaves no batch: an epoch has ", num_rows,
      options.filter.empty() ? " rows"
                             : " rows that pass the " + FilterOptions(options.filter),
      " and a global batch ", delivery.global_batch(), " (batch_size ",
      delivery.batch_size, " x world_size ", delivery.world_size, ")");
}

}  // namespace

Result<EpochPlace> StreamEpochs::List(const Progress& progress,
                                      const Cancelled& cancelled) const {
  ROWFEED_ASSIGN_OR_RETURN(SourceRows rows, cursor_->Begin(progress.epoch, cancelled));
  ROWFEED_ASSIGN_OR_RETURN(const int64_t num_rows,
                           NumRowsIn(*options_, rows, progress.epoch, cancelled));
  ROWFEED_RETURN_NOT_OK(CheckSteps(*options_, num_rows));
  return EpochPlace{progress, std::move(rows), num_rows};
}

bool StreamEpochs::IsLast(const Progress& progress) const {
  return options_->num_epochs && progress.epochs_done + 1 >= *options_->num_epochs;
}

bool StreamEpochs::HasNext(const EpochPlace& place) const {
  if (IsLast(place.progress)) return false;
  if (BatchesPerEpoch(place.num_rows, 0, options_->delivery) > 0) return true;
  // A rank without rows goes through the epochs as the others do, if they have an end.
  return place.num_rows > 0 && options_->num_epochs.has_value() &&
         options_->delivery.remainder == Remainder::kUneven;
}

std::optional<int64_t> StreamEpochs::Ahead(const Progress& progress) const {
  if (IsLast(progress)) return std::nullopt;
  const Progress next = cursor_->Peek();
  return next.row == 0 ? std::optional(next.epoch) : std::nullopt;
}

Result<EpochPlace> StreamEpochs::Next(const EpochPlace& last,
                                      const std::function<Progress()>& claim,
                                      const Cancelled& cancelled) const {
  // All epochs of one data set have the same rows unless they are listed anew. A
  // consumer waits for this call.
  if (!last.rows.empty() && !EpochDataOf(*options_).is_listed_anew &&
      !options_->mixture) {
    return EpochPlace{claim(), last.rows, last.num_rows};
  }
  // The epoch is listed and counted before it is claimed, so that an error, or Ctrl-C,
  // costs no epoch.
  const Progress next = cursor_->Peek();
  ROWFEED_ASSIGN_OR_RETURN(EpochPlace place, List(next, cancelled));
  place.progress = claim();
  if (place.progress.epoch == next.epoch) return place;
  return List(place.progress, cancelled);  // another iteration has claimed it first
}

}  // namespace rowfeed
