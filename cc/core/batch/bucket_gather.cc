// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/bucket_gather.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "core/batch/gather_rows.h"
#include "core/width.h"

namespace rowfeed {

BucketGather::BucketGather(const BucketShuffle* shuffle, const std::vector<Run>* runs,
                           std::vector<BatchBuilder::Slots> slots, int64_t width)
    : shuffle_(shuffle), runs_(runs), slots_(std::move(slots)), width_(width) {
  NextPlace at;
  for (int64_t bucket = 0; bucket < shuffle->num_buckets(); ++bucket) {
    ends_.push_back(at);
    Advance(&at, std::ssize(shuffle->sources(bucket)), [](auto...) {});
  }
}

template <typename Visit>
void BucketGather::Advance(NextPlace* at, int64_t count, const Visit& visit) const {
  while (count > 0) {
    const int64_t left = (*runs_)[at->run].count - at->row;
    const int64_t size = std::min(count, left);
    const auto& [begin, step] = slots_[at->run];
    visit(begin + at->row * step * width_, step, size);
    *at = size < left ? NextPlace{at->run, at->row + size} : NextPlace{at->run + 1, 0};
    count -= size;
  }
}

void BucketGather::AddSlice(const uint8_t* rows) {
  for (int64_t bucket = 0; bucket < shuffle_->num_buckets(); ++bucket) {
    const std::span<const uint16_t> wanted = shuffle_->rows(num_slices_, bucket);
    const uint16_t* from = wanted.data();
    Advance(&ends_[bucket], std::ssize(wanted),
            [&](uint8_t* out, int64_t step, int64_t size) {
              GatherRows(rows, from, size, width_, out, step);
              from += size;
            });
  }
  ++num_slices_;
}

void BucketGather::Finish(uint8_t* scratch) {
  NextPlace begin;
  for (int64_t bucket = 0; bucket < shuffle_->num_buckets(); ++bucket) {
    const std::span<const uint16_t> sources = shuffle_->sources(bucket);
    NextPlace at = begin;
    uint8_t* next = scratch;
    Advance(&at, std::ssize(sources), [&](uint8_t* in, int64_t step, int64_t size) {
      WithWidth(width_, [&](auto row) {
        if (step == 1) {
          std::memcpy(next, in, size * row.get());
        } else {
          for (int64_t i = 0; i < size; ++i) {
            row.Copy(next + i * row.get(), in + i * step * row.get());
          }
        }
      });
      next += size * width_;
    });
    const uint16_t* from = sources.data();
    Advance(&begin, std::ssize(sources), [&](uint8_t* out, int64_t step, int64_t size) {
      GatherRows(scratch, from, size, width_, out, step);
      from += size;
    });
  }
}

}  // namespace rowfeed
