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

#include "core/catalog/listing/notices.h"
#include "core/catalog/listing/partition_rule.h"
#include "core/catalog/partition.h"
#include "core/catalog/schema/column.h"
#include "core/catalog/schema/file_layout.h"
#include "core/export.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

struct CatalogFile {
  std::string path;            // path or URI that opens it
  std::string name;            // path below the root under which it was found
  std::string partitions;      // its directories that are columns: see PartitionsIn
  int64_t size = 0;            // size of the file in bytes
  int64_t mtime_ns = 0;        // time of change since 1970; 0 if there is an etag
  std::string etag;            // etag or generation in an object store
  uint64_t footer_digest = 0;  // XXH3 of the footer's bytes

  FileVersion version() const { return {size, mtime_ns, etag}; }
};

struct RowGroup {
  int32_t file = 0;   // number of its file in files()
  int32_t index = 0;  // number within its file
  int64_t rows = 0;
};

// Where one column chunk lies in its file, and what the footer says about it. All
// members are 0 for an unsupported column, and if the file has no such chunk. The chunk
// lies within the file; up to 100 bytes at its end may belong to what follows it
// (PARQUET-816).
struct ColumnChunk {
  // No chunk has more values than this, and the memory for so many can be computed with
  // 64 bits.
  static constexpr int64_t kMaxValues = int64_t{1} << 48;

  int64_t offset = 0;      // position of its first page (maybe the dictionary)
  int64_t size = 0;        // size of the chunk in the file, in bytes
  int64_t num_values = 0;  // number of values with nulls and empty lists
  // Uncompressed size of all pages in KiB, rounded up; the greatest value also stands
  // for more.
  uint32_t uncompressed_kib = 0;
  uint8_t codec = 0;  // the format's number of the CompressionCodec
  // True: the values lie in a local file as they are, not compressed, in plain encoding
  // or in a dictionary.
  bool is_verbatim = false;
  // Whether the footer says that some rows are null or, in lists, some elements.
  bool has_nulls = false;
};

// The row groups in which some rows of a column are null or, in lists, some elements,
// as their footers say. No value was read, so the footers may be wrong.
struct NullGroups {
  int64_t count = 0;
  int64_t first = -1;  // number of the first of them in row_groups(); -1 if none
};

// Describes a data set: its files, their row groups, one schema and one fingerprint. An
// immutable value: it is read once, then shared by all streams, epochs and iterators;
// it can be saved and sent to other processes.
class ROWFEED_EXPORT Catalog {
 public:
  // Lists `paths` (files, directories, globs) and reads all footers once, in parallel.
  //
  // `columns` names the columns whose chunks will be read; nullopt: all columns of the
  // first file. The name of a struct stands for the columns below it, and a pattern
  // (`f*`) for the columns of the first file that match. The type of a column is that
  // in the first file that has it. Where other files differ, FileLayout::differences
  // says so; whether that is an error is decided when it is known what is made of the
  // column. An unsupported column is an error here only if it was named. Names in
  // provenance.h that are no columns of the first file are ignored.
  //
  // `cancelled`, if not empty, is called before each entry of a directory and each
  // footer, and while a remote file is waited for, in any thread: if it returns true,
  // this ends with kCancelled. `notices` is as in ListFiles.
  static Result<std::shared_ptr<const Catalog>> Open(
      const std::vector<std::string>& paths,
      const std::optional<std::vector<std::string>>& columns, int num_threads,
      const Cancelled& cancelled = {}, Notices* notices = nullptr,
      const PartitionRule& rule = {});

  // Like Open, for files that were listed before. `files` are those of another catalog;
  // only their path, name and partitions are used.
  static Result<std::shared_ptr<const Catalog>> Reopen(
      const std::vector<CatalogFile>& files,
      const std::optional<std::vector<std::string>>& columns, int num_threads);

  // Reads what Serialize wrote. Checks magic, version, checksum and every range: bytes
  // of unknown origin give kInvalid, never a crash or a large allocation.
  static Result<std::shared_ptr<const Catalog>> Parse(std::string_view bytes);
  std::string Serialize() const;

  const std::vector<CatalogFile>& files() const { return files_; }
  const std::vector<RowGroup>& row_groups() const { return row_groups_; }
  // The number of rows of each row group, for the plan.
  const std::shared_ptr<const std::vector<int64_t>>& group_rows() const {
    return group_rows_;
  }
  int64_t num_rows() const { return num_rows_; }

  // The columns whose chunks are known, in the order in which Open was asked for them.
  // Their `storage` is that in the first file that has the column.
  const std::vector<Column>& columns() const { return columns_; }
  // Returns the number of the column in columns(). For an unknown or unsupported column
  // returns an error that names it and says which columns there are, or why it is not
  // supported.
  Result<int> ColumnIndex(const std::string& name) const;
  // Whether there is a column of this name, supported or not.
  bool HasColumn(const std::string& name) const { return by_name_.count(name) > 0; }

  const ColumnChunk& chunk(int64_t row_group, int column) const {
    return chunks_[row_group * columns_.size() + column];
  }
  // Returns for each column the row groups in which it has nulls.
  std::vector<NullGroups> null_groups() const;
  // Returns the value that all rows of a file have: the value of a partition column,
  // and null if the file lacks the column. nullopt for any other column.
  std::optional<Constant> file_constant(size_t file, int column) const;
  std::optional<Constant> constant(int64_t row_group, int column) const {
    return file_constant(row_groups_[row_group].file, column);
  }
  // Returns how the file of `row_group` stores the column, for a decoder. Files may
  // differ in which levels are optional.
  const ColumnStorage& storage(int64_t row_group, int column) const {
    return layout(row_groups_[row_group].file).storage[column];
  }

  // All different layouts of files, and which of them each file has.
  const std::vector<FileLayout>& layouts() const { return layouts_; }
  int32_t layout_index(size_t file) const { return file_layouts_[file]; }
  const FileLayout& layout(size_t file) const { return layouts_[file_layouts_[file]]; }

  // Returns the types of the partition columns.
  PartitionTypes partition_types() const;
  // Returns the catalog with other types for its partition columns; `catalog` itself if
  // they are the same. Keys that are no partition columns are ignored. kInvalid: a
  // directory's value does not fit its type.
  static Result<std::shared_ptr<const Catalog>> WithPartitionTypes(
      std::shared_ptr<const Catalog> catalog, const PartitionTypes& types);

  // Returns the catalog of some row groups, in the order of `catalog`, and of the files
  // that have them; `catalog` itself if these are all of its row groups. The columns
  // and the numbers of row groups within files do not change. kInvalid: a number is not
  // that of a row group, or there are none.
  static Result<std::shared_ptr<const Catalog>> Select(
      std::shared_ptr<const Catalog> catalog, std::vector<int64_t> row_groups);
  // Returns the catalog of some columns: the one that Open returns for the same files
  // and names, without reading a footer again; `catalog` itself if these are all of its
  // columns in their order. `names` are as in Open, but kKey: no column of `catalog`
  // has the name.
  static Result<std::shared_ptr<const Catalog>> Project(
      std::shared_ptr<const Catalog> catalog, const std::vector<std::string>& names);
  // Returns kInvalid, with its name, if some file is neither one of `paths` (as in
  // Open) nor below one of them. For catalogs that others have made.
  Status CheckFilesAreIn(const std::vector<std::string>& paths) const;
  // Whether Select has left out some row groups, maybe of files that are here.
  bool is_selection() const { return is_selection_; }

  // A digest (32 hexadecimal digits) of the files' relative names, sizes, rows per row
  // group and footer digests, and of which row groups were selected. It is the same on
  // another machine or mount, and for any selection of columns.
  const std::string& fingerprint() const { return fingerprint_; }

  // Returns "PATH, row group 3, column 'x'", with which every error about a chunk
  // begins.
  std::string Where(int64_t row_group) const;
  std::string Where(int64_t row_group, int column) const;
  // Returns an error from decoding a chunk, with Where in front, and with a hint if the
  // user should ask for another column.
  Status ErrorAt(int64_t row_group, int column, const Status& status) const;

 private:
  friend class CatalogBuilder;
  Catalog() = default;
  // Fills by_name_. Call it once columns_ no longer change.
  void IndexNames();

  std::vector<CatalogFile> files_;
  std::vector<RowGroup> row_groups_;
  std::shared_ptr<const std::vector<int64_t>> group_rows_;
  int64_t num_rows_ = 0;
  std::vector<Column> columns_;
  // The number of the first column of each name. Its keys point into columns_.
  std::unordered_map<std::string_view, int> by_name_;
  std::vector<FileLayout> layouts_;    // all different layouts of files
  std::vector<int32_t> file_layouts_;  // for each file, its number in layouts_
  std::vector<ColumnChunk> chunks_;    // all columns of a row group side by side
  std::string fingerprint_;
  bool is_selection_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CATALOG_H_
