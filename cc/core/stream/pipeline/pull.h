// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_PULL_H_
#define ROWFEED_CORE_STREAM_PIPELINE_PULL_H_

namespace rowfeed {

// How a wait for the next batch has ended.
enum class Pull { kBatch, kEnd, kTimeout };

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_PULL_H_
