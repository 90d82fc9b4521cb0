// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_CATALOG_H_
#define ROWFEED_CORE_CATALOG_CATALOG_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/catalog/column.h"
#include "core/catalog/file_layout.h"
#include "core/catalog/notices.h"
#include "core/catalog/partition.h"
#include "core/catalog/partition_rule.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

struct CatalogFile {
  std::string path;            // as opened
  std::string name;            // relative to the root it was found under, '/'-separated
  std::string partitions;      // the directories that are columns: see PartitionsIn
  int64_t size = 0;            // bytes
  int64_t mtime_ns = 0;        // since the epoch; 0 where there is an etag
  std::string etag;            // of an object store
  uint64_t footer_digest = 0;  // of the serialized footer

  FileVersion version() const { return {size, mtime_ns, etag}; }
};

struct RowGroup {
  int32_t file = 0;   // index into files()
  int32_t index = 0;  // within the file
  int64_t rows = 0;
};

// Where one column chunk lies and what its footer says of it; all zero for an
// unsupported column, and where there is none. Lies within the file; may end with up to
// 100 bytes of what follows it (PARQUET-816).
struct ColumnChunk {
  // More values are in none, and what they would take of memory can be told by 64 bits.
  static constexpr int64_t kMaxValues = int64_t{1} << 48;

  int64_t offset = 0;      // of its first page (the dictionary page if there is one)
  int64_t size = 0;        // bytes in the file
  int64_t num_values = 0;  // nulls and empty lists included
  uint32_t uncompressed_kib = 0;  // of all its pages, rounded up; saturates
  uint8_t codec = 0;              // CompressionCodec, as the Parquet format numbers it
  // Its values lie in a local file as they are: not compressed, and plain or in a
  // dictionary.
  bool is_verbatim = false;
};

// WHAT there is: the files of a data set, their row groups, one schema, one
// fingerprint. An immutable value: read once, then shared by every stream, epoch and
// iterator, saved, and sent to other processes.
class Catalog {
 public:
  // Lists `paths` (files, directories, globs) and reads every footer once, in parallel.
  // `columns`: those whose chunks will be read, all columns of the first file if
  // nullopt. What each is, the first file that has it says; where others differ is
  // kept (FileLayout::differences), and judged when it is known what is made of the
  // column. The name of a struct stands
  // for the columns below it, a pattern (`f*`) for those of the first file that match.
  // An unsupported column is an error here only if it was named. Names of provenance.h
  // that are no columns of the first file are passed over. `cancelled`, unless it is
  // empty, is asked before each entry of a directory and each footer, in any thread:
  // true ends this with kCancelled. Waits for remote files ask it, too. `notices` as of
  // ListFiles.
  static Result<std::shared_ptr<const Catalog>> Open(
      const std::vector<std::string>& paths,
      const std::optional<std::vector<std::string>>& columns, int num_threads,
      const Cancelled& cancelled = {}, Notices* notices = nullptr,
      const PartitionRule& rule = {});

  // The same for files listed before: of `files`, those of another catalog, only path
  // name and partitions are used.
  static Result<std::shared_ptr<const Catalog>> Reopen(
      const std::vector<CatalogFile>& files,
      const std::optional<std::vector<std::string>>& columns, int num_threads);

  // The inverse of Serialize. Checks magic, version, checksum and every range: bytes of
  // unknown origin give kInvalid, never a crash or a large allocation.
  static Result<std::shared_ptr<const Catalog>> Parse(std::string_view bytes);
  std::string Serialize() const;

  const std::vector<CatalogFile>& files() const { return files_; }
  const std::vector<RowGroup>& row_groups() const { return row_groups_; }
  // Row counts alone, for the plan: row_groups()[i].rows.
  const std::shared_ptr<const std::vector<int64_t>>& group_rows() const {
    return group_rows_;
  }
  int64_t num_rows() const { return num_rows_; }

  // The columns whose chunks are known, in the order of `columns` of Open.
  // `storage` is that of the first file that has the column.
  const std::vector<Column>& columns() const { return columns_; }
  // Index into columns(), or an error naming the column, what there is, and why a
  // column is not supported.
  Result<int> ColumnIndex(const std::string& name) const;
  // Whether there is such a column, supported or not.
  bool HasColumn(const std::string& name) const { return by_name_.count(name) > 0; }

  const ColumnChunk& chunk(int64_t row_group, int column) const {
    return chunks_[row_group * columns_.size() + column];
  }
  // The value that all rows of a file have: of a partition column, and null of one that
  // the file lacks. nullopt of any other.
  std::optional<Constant> file_constant(size_t file, int column) const;
  std::optional<Constant> constant(int64_t row_group, int column) const {
    return file_constant(row_groups_[row_group].file, column);
  }
  // How the file of `row_group` stores the column: files may differ in which levels are
  // optional. For a decoder.
  const ColumnStorage& storage(int64_t row_group, int column) const {
    return layout(row_groups_[row_group].file).storage[column];
  }

  // All layouts that occur, and which one a file has.
  const std::vector<FileLayout>& layouts() const { return layouts_; }
  int32_t layout_index(size_t file) const { return file_layouts_[file]; }
  const FileLayout& layout(size_t file) const { return layouts_[file_layouts_[file]]; }

  // The types of the columns that are partitions.
  PartitionTypes partition_types() const;
  // The catalog with other types of those columns, or `catalog` itself if they are the
  // same. Keys that are no partition columns of it have no meaning. kInvalid: a value
  // of a directory does not fit.
  static Result<std::shared_ptr<const Catalog>> WithPartitionTypes(
      std::shared_ptr<const Catalog> catalog, const PartitionTypes& types);

  // 32 hexadecimal digits over the files' relative names, sizes, rows per group and
  // footer digests: the same on another machine or mount and for any projection.
  const std::string& fingerprint() const { return fingerprint_; }

  // "PATH, row group 3, column 'x'", the start of every error about a chunk.
  std::string Where(int64_t row_group) const;
  std::string Where(int64_t row_group, int column) const;
  // An error of decoding the chunk, with that start, and with a hint where another
  // column is the one to ask for.
  Status ErrorAt(int64_t row_group, int column, const Status& status) const;

 private:
  friend class CatalogBuilder;
  Catalog() = default;
  // Makes by_name_ anew, once columns_ are what they stay.
  void IndexNames();

  std::vector<CatalogFile> files_;
  std::vector<RowGroup> row_groups_;
  std::shared_ptr<const std::vector<int64_t>> group_rows_;
  int64_t num_rows_ = 0;
  std::vector<Column> columns_;
  // The first column of each name, which columns_ holds: see IndexNames.
  std::unordered_map<std::string_view, int> by_name_;
  std::vector<FileLayout> layouts_;    // that occur
  std::vector<int32_t> file_layouts_;  // for each file, its index in layouts_
  std::vector<ColumnChunk> chunks_;    // row group major
  std::string fingerprint_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CATALOG_H_
