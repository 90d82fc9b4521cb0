// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_PULL_H_
#define ROWFEED_CORE_STREAM_PIPELINE_PULL_H_

namespace rowfeed {

// What a wait for the next batch ended with.
enum class Pull { kBatch, kEnd, kTimeout };

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_PULL_H_
