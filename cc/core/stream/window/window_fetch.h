// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_FETCH_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_FETCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/io/fetched_file.h"
#include "core/io/file_cache.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/window/remote_pages.h"

namespace rowfeed {

// The files that the pieces of a window are read from. Of remote ones all chunks of a
// piece are fetched into memory first, by one task, so that threads that decode never
// wait for a network. Local files need no task.
class WindowFetch {
 public:
  // `columns`: indexes into catalog.columns() of those that will be read. `places`:
  // where pages lie, so that of pieces that are much smaller than their row group only
  // the pages of their rows are fetched; nullptr: all of them are needed. The catalog
  // and `places` must outlive it. `checks_at_once`: by the tasks, not by RunCheck.
  WindowFetch(const Catalog& catalog, std::vector<int> columns,
              const std::vector<Piece>& pieces, const std::shared_ptr<FileCache>& files,
              std::shared_ptr<BufferPool> buffers, RemotePages* places,
              bool checks_at_once);

  size_t num_tasks() const { return tasks_.size(); }
  // What the tasks put into memory until Drop: when they have ended, before them about.
  int64_t num_bytes() const;
  // In any order, at once. Waits end soon after `cancelled`.
  Result<FetchCounts> RunTask(size_t task, const Cancelled& cancelled);
  // One for each file. After all tasks, in any order, at once, beside all else: whether
  // what was fetched is of the version that was catalogued. What was decoded is worth
  // nothing before.
  size_t num_checks() const { return checks_.size(); }
  Status RunCheck(size_t check, const Cancelled& cancelled) const;
  // Of a piece: what was fetched, and the rest of its file. Valid as long as this.
  const RandomAccessFile& file(size_t piece) const { return pieces_[piece].fetched; }
  // Of a piece, after its task: where its pages lie; nullptr if that was not asked.
  const PageLocations* pages(size_t piece, int column) const;
  // Sees to it that the file of a piece can be read as long as this is there.
  Status Hold(size_t piece);
  // When all is decoded.
  void Drop();

 private:
  struct PieceFile {
    PieceFile(const Piece& piece, CachedFile cached, std::vector<Extent> chunks)
        : piece(piece), file(std::move(cached)), chunks(std::move(chunks)) {}

    const Piece piece;
    CachedFile file;
    const std::vector<Extent> chunks;
    int64_t num_bytes = 0;    // as of WindowFetch
    bool is_fetched = false;  // all of it, and checked if that is at once
    std::shared_ptr<const GroupPages> pages;
    FetchedFile fetched{&file};
  };

  // What to fetch for a piece; asks where its pages lie if that may pay.
  Result<std::vector<Extent>> ExtentsOf(PieceFile* piece, const Cancelled& cancelled,
                                        FetchCounts* counts) const;

  const Catalog& catalog_;
  const std::vector<int> columns_;
  const std::shared_ptr<FileCache> files_;
  const std::shared_ptr<BufferPool> buffers_;
  RemotePages* const places_;
  const bool checks_at_once_;

  std::deque<PieceFile> pieces_;  // they do not move
  std::vector<size_t> tasks_;     // pieces
  std::vector<size_t> checks_;    // the first piece of each file
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_FETCH_H_
