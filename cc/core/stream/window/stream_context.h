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
#include "core/stream/epochs/epoch_data.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"
#include "core/stream/stats/counters.h"
#include "core/stream/window/remote_pages.h"
#include "core/task_pool.h"

namespace rowfeed {

// One data set that a stream reads. A mixture has several; any other stream has one.
struct StreamSource {
  std::shared_ptr<const Catalog> catalog;
  std::vector<ColumnSpec> columns;
  BatchLayout layout;  // its parts and outputs are the same for every source
  EpochRows rows;
  std::shared_ptr<const FilteredRows> filtered;  // nullptr: there is no filter
  std::shared_ptr<RemotePages> places;   // the pages of the catalog's remote files
  std::shared_ptr<PageLocator> locator;  // finds the pages of rows that pass the filter
  bool verifies_checksums = false;       // whether pages must match their checksums
  int64_t most_rows_merged = 0;          // see ReadPieces
};

// What the tasks of a stream read. It never changes, so that they need no lock.
struct StreamContext {
  std::vector<StreamSource> sources;
  StreamOptions options;
  EpochData data;
  BatchLayout layout;  // the layout of the batches
  // By the memory plan: the arenas to complete ahead of the consumer, and the part of
  // the memory budget that windows and arenas may take. The rest is for decoding.
  size_t arenas_ahead;
  int64_t arena_elements;  // bytes that the variable columns of an arena may take
  int64_t window_budget;
  // The cursor owns this pool, and outlives the engine. Shared ownership would be
  // wrong: the last owner could be a task that the pool itself runs.
  TaskPool* tasks;
  std::shared_ptr<BufferPool> buffers;
  std::shared_ptr<FileCache> files;
  std::shared_ptr<Counters> counters;
  TaskPool* fetches;  // for tasks that wait for remote files; the cursor owns it, too
};

// Makes the context of a stream. `layout` comes from LayOutStream. `rows` are those of
// each source, which must have been counted.
std::shared_ptr<const StreamContext> MakeContext(Cursor* cursor,
                                                 const StreamOptions& options,
                                                 const BatchLayout& layout,
                                                 const SourceRows& rows,
                                                 std::shared_ptr<Counters> counters);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_STREAM_CONTEXT_H_
