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
#include "core/plan/read_pieces.h"
#include "core/status.h"
#include "core/stream/window/remote_pages.h"

namespace rowfeed {

// The files that the pieces of a window are read from. For each piece of a remote file,
// one task first fetches all needed chunks into memory, so that threads that decode
// never wait for a network. Local files need no task.
class WindowFetch {
 public:
  // `columns`: catalog.columns() indexes of the columns that will be read. `places`:
  // where pages lie, so that only the pages of its rows are fetched for a piece that is
  // much smaller than its row group; nullptr: whole chunks are fetched. `catalog`,
  // `read` and `places` must outlive this object. `checks_at_once`: each fetch task
  // also checks that its file has not changed; otherwise RunCheck does that.
  WindowFetch(const Catalog& catalog, std::vector<int> columns, const ReadPieces& read,
              const std::shared_ptr<FileCache>& files,
              std::shared_ptr<BufferPool> buffers, RemotePages* places,
              bool checks_at_once);

  size_t num_tasks() const { return tasks_.size(); }
  // Returns how many bytes the fetch tasks hold in memory until Drop. It is an estimate
  // until they have ended.
  int64_t num_bytes() const;
  // Runs one fetch task. Tasks run in any order and concurrently. A waiting task ends
  // soon after `cancelled` returns true.
  Result<FetchCounts> RunTask(size_t task, const Cancelled& cancelled);
  // One check for each file: whether what was fetched belongs to the version that the
  // catalog knows. Before the check has passed, what was decoded must not be used.
  // Checks come after all fetch tasks. They run in any order, concurrently, and beside
  // the decoding.
  size_t num_checks() const { return checks_.size(); }
  Status RunCheck(size_t check, const Cancelled& cancelled) const;
  // Returns the file of a piece. It reads what was fetched from memory, and the rest
  // from the file itself. Valid as long as this object.
  const RandomAccessFile& file(size_t piece) const { return pieces_[piece].fetched; }
  // Returns where the pages of a column lie in a piece; nullptr if that was not looked
  // up. Call it after the fetch task of the piece.
  const PageLocations* pages(size_t piece, int column) const;
  // Keeps the file of a piece readable as long as this object lives, even if its name
  // vanishes.
  Status Hold(size_t piece);
  // Frees what was fetched. Call it when everything is decoded.
  void Drop();

 private:
  struct PieceFile {
    PieceFile(size_t index, CachedFile cached, std::vector<Extent> chunks)
        : index(index), file(std::move(cached)), chunks(std::move(chunks)) {}

    const size_t index;  // number of the piece in read_
    CachedFile file;
    const std::vector<Extent> chunks;
    int64_t num_bytes = 0;    // bytes in memory: see WindowFetch::num_bytes
    bool is_fetched = false;  // all is fetched and, with checks_at_once_, checked
    std::shared_ptr<const GroupPages> pages;
    FetchedFile fetched{&file};
  };

  // Returns what to fetch for a piece. Looks up where its pages lie if that may save
  // bytes.
  Result<std::vector<Extent>> ExtentsOf(PieceFile* piece, const Cancelled& cancelled,
                                        FetchCounts* counts) const;

  const Catalog& catalog_;
  const std::vector<int> columns_;
  const ReadPieces& read_;
  const std::shared_ptr<FileCache> files_;
  const std::shared_ptr<BufferPool> buffers_;
  RemotePages* const places_;
  const bool checks_at_once_;

  std::deque<PieceFile> pieces_;  // a deque, because pieces must not move
  std::vector<size_t> tasks_;     // indexes into pieces_
  std::vector<size_t> checks_;    // for each file, the index of its first piece
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_FETCH_H_
