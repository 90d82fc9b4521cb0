// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/dataset_place.h"

#include <unordered_map>
#include <utility>

namespace rowfeed {
namespace {

// The places between LeavePlace and TakePlace.
struct Left {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<DatasetPlace>> places;
};

Left& left() {
  static auto* const left = new Left;  // never destroyed: threads outlive main
  return *left;
}

}  // namespace

DatasetPlace::DatasetPlace(std::shared_ptr<Cursor> cursor)
    : cursor_(std::move(cursor)) {}
DatasetPlace::~DatasetPlace() = default;

void DatasetPlace::Begin(std::shared_ptr<BatchStream> iteration) {
  const std::lock_guard lock(mutex_);
  latest_.swap(iteration);
}

Progress DatasetPlace::Latest() const {
  const std::lock_guard lock(mutex_);
  return latest_ ? latest_->progress() : cursor_->Peek();
}

void DatasetPlace::Move(const Progress& progress) {
  std::shared_ptr<BatchStream> replaced;  // destroyed after the mutex is released
  const std::lock_guard lock(mutex_);
  cursor_->Move(progress);
  latest_.swap(replaced);
}

int64_t DatasetPlace::RestoredNextEpoch(const std::weak_ptr<void>& pipeline,
                                        int64_t next_epoch) {
  std::shared_ptr<BatchStream> replaced;  // destroyed after the mutex is released
  const std::lock_guard lock(mutex_);
  if (!restored_.IsCurrent(pipeline)) latest_.swap(replaced);
  return restored_.Add(pipeline, next_epoch);
}

void LeavePlace(const std::string& name, std::shared_ptr<DatasetPlace> place) {
  const std::lock_guard lock(left().mutex);
  left().places[name] = std::move(place);
}

std::shared_ptr<DatasetPlace> TakePlace(const std::string& name) {
  const std::lock_guard lock(left().mutex);
  const auto found = left().places.find(name);
  if (found == left().places.end()) return nullptr;
  std::shared_ptr<DatasetPlace> place = std::move(found->second);
  left().places.erase(found);
  return place;
}

}  // namespace rowfeed
