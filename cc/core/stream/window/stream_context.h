// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_STREAM_CONTEXT_H_
#define ROWFEED_CORE_STREAM_WINDOW_STREAM_CONTEXT_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/pages/page_locator.h"
#include "core/io/buffer_pool.h"
#include "core/io/file_cache.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"
#include "core/stream/stats/counters.h"
#include "core/stream/window/remote_pages.h"
#include "core/task_pool.h"

namespace rowfeed {

// One of the data sets of a stream.
struct StreamSource {
  std::shared_ptr<const Catalog> catalog;
  std::vector<Feature> features;
  BatchLayout layout;  // parts and outputs are those of every source
  EpochRows rows;
  std::shared_ptr<const FilteredRows> filtered;  // nullptr: all rows
  std::shared_ptr<RemotePages> places;           // of the catalog's files
  std::shared_ptr<PageLocator> locator;          // for what is filtered
  bool verifies_checksums = false;               // of pages
};

// What the tasks of a stream read and never change.
struct StreamContext {
  std::vector<StreamSource> sources;
  StreamOptions options;
  BatchLayout layout;   // of batches
  size_t arenas_ahead;  // of the consumer, by the memory plan
  // The cursor's, which outlives the engine: were it shared, the last task to let go of
  // it could be one that the pool itself runs.
  TaskPool* tasks;
  std::shared_ptr<BufferPool> buffers;
  std::shared_ptr<FileCache> files;
  std::shared_ptr<Counters> counters;
  TaskPool* fetches;  // the cursor's, too: its tasks wait for remote files
};

// `layout`: as LayOutStream. `rows`: of each source, which must have been counted.
std::shared_ptr<const StreamContext> MakeContext(Cursor* cursor,
                                                 const StreamOptions& options,
                                                 const BatchLayout& layout,
                                                 const SourceRows& rows,
                                                 std::shared_ptr<Counters> counters);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_STREAM_CONTEXT_H_
