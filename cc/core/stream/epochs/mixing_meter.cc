// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/mixing_meter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ceil_div.h"

namespace rowfeed {
namespace {

constexpr int64_t kBatches = 256;  // number of batches that are looked at
constexpr double kGoldenRatio = 0.6180339887498949;

// Returns the probability that `drawn` of `all` rows have none of `some` rows.
double NoneDrawn(int64_t all, int64_t some, int64_t drawn) {
  if (some + drawn > all) return 0;
  constexpr double kNever = 1e-12;
  // The formula is the same for `some` and `drawn` exchanged.
  const int64_t steps = std::min(some, drawn);
  const int64_t others = all - std::max(some, drawn);
  double none = 1;
  for (int64_t i = 0; i < steps && none > kNever; ++i) {
    none *= static_cast<double>(others - i) / static_cast<double>(all - i);
  }
  return none;
}

}  // namespace

MixingMeter::MixingMeter(const StreamOptions& options, const Catalog& catalog,
                         const StreamPlan& plan)
    : options_(options), catalog_(catalog), num_rows_(plan.num_rows()) {
  const int64_t num_whole = num_rows_ / options.delivery.global_batch();
  const int64_t num_looked_at = std::min(kBatches, num_whole);
  for (int64_t i = 0; i < num_looked_at; ++i) {
    // One batch of each of num_looked_at equal parts of the epoch. It is not always
    // the same one of its part, because row groups may begin at equal distances too.
    const auto begin = static_cast<double>(i);
    const double within = std::fmod(kGoldenRatio * begin, 1.0);
    const double at = static_cast<double>(num_whole) * (begin + within) /
                      static_cast<double>(num_looked_at);
    batches_.push_back({std::min(static_cast<int64_t>(at), num_whole - 1), {}, {}});
  }
}

void MixingMeter::Add(const WindowVisit& visit, const std::vector<Piece>& pieces) {
  const int64_t rows = visit.window.rows();
  const auto size = static_cast<double>(rows);
  moves_ += (size * size - 1) / 3;
  rows_ += size;
  std::unordered_map<int64_t, int64_t> group_rows;
  const int64_t global_batch = options_.delivery.global_batch();
  auto batch = std::lower_bound(
      batches_.begin(), batches_.end(), visit.first_row / global_batch,
      [](const Batch& one, int64_t index) { return one.index < index; });
  for (; batch != batches_.end() && batch->index * global_batch < EndOf(visit);
       ++batch) {
    const int64_t drawn = RowsIn(batch->index, visit);
    if (drawn == 0) continue;
    if (group_rows.empty()) {
      for (const Piece& piece : pieces) group_rows[piece.row_group] += piece.rows();
    }
    for (const auto& [group, some] : group_rows) {
      const double none = NoneDrawn(rows, some, drawn);
      const int32_t file = catalog_.row_groups()[group].file;
      batch->groups.try_emplace(group, 1).first->second *= none;
      batch->files.try_emplace(file, 1).first->second *= none;
    }
  }
}

std::optional<MixingForecast> MixingMeter::Result() const {
  if (batches_.empty()) return std::nullopt;
  MixingForecast found;
  for (const Batch& batch : batches_) {
    found.row_groups_per_batch += NumExpected(batch.groups);
    found.files_per_batch += NumExpected(batch.files);
  }
  const auto num_batches = static_cast<double>(batches_.size());
  found.row_groups_per_batch /= num_batches;
  found.files_per_batch /= num_batches;
  if (options_.order.shuffle && rows_ > 0) {
    found.displacement_rows =
        moves_ / rows_ * static_cast<double>(options_.order.num_lanes);
  }
  return found;
}

double MixingMeter::NumExpected(const Absent& absent) {
  double number = 0;
  for (const auto& [_, probability] : absent) number += 1 - probability;
  return number;
}

int64_t MixingMeter::EndOf(const WindowVisit& visit) const {
  return visit.lap * num_rows_ + visit.window.lane +
         visit.window.end * options_.order.num_lanes;
}

int64_t MixingMeter::RowsIn(int64_t batch, const WindowVisit& visit) const {
  const int64_t global_batch = options_.delivery.global_batch();
  const int64_t lanes = options_.order.num_lanes;
  // This rank's rows of a lane have this distance in the global stream.
  const int64_t step = std::lcm(lanes, options_.delivery.world_size);
  const int64_t begin = batch * global_batch;
  const int64_t end = std::min(begin + global_batch, EndOf(visit));
  int64_t first = visit.first_row;
  if (first < begin) first += CeilDiv(begin - first, step) * step;
  return first < end ? CeilDiv(end - first, step) : 0;
}

}  // namespace rowfeed
