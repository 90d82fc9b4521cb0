// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <fnmatch.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/arrow_status.h"
#include "core/catalog/catalog.h"
#include "core/catalog/catalog_builder.h"
#include "core/catalog/chunks.h"
#include "core/catalog/column_errors.h"
#include "core/catalog/footer.h"
#include "core/catalog/listing.h"
#include "core/catalog/parallel_for.h"
#include "core/catalog/partition.h"
#include "core/catalog/problems.h"
#include "core/catalog/provenance.h"
#include "core/catalog/schema.h"
#include "core/io/random_access_file.h"

namespace rowfeed {
namespace {

using SchemaColumns = std::vector<SchemaColumn>;

struct FileWithFooter {
  CatalogFile file;
  std::shared_ptr<parquet::FileMetaData> metadata;
};

// What a catalog keeps of one file.
struct FileFacts {
  CatalogFile file;
  std::vector<ColumnStorage> storage;  // of each column
  FileChunks content;
};

// The first file: it says what the columns are, and the others must agree.
struct Reference {
  FileWithFooter first;
  SchemaColumns columns;  // those asked for
};

// The descriptor is closed again before anything else of the file is looked at.
Result<FileWithFooter> OpenFooter(const ListedFile& listed) {
  ROWFEED_ASSIGN_OR_RETURN(const auto file, OpenLocalFile(listed.path));
  ROWFEED_ASSIGN_OR_RETURN(Footer footer, ReadFooter(*file));
  return FileWithFooter{
      {listed.path, listed.name, file->size(), file->mtime_ns(), footer.digest},
      std::move(footer.metadata)};
}

Result<SchemaColumns> SchemaOf(const FileWithFooter& file) {
  Result<SchemaColumns> schema = ReadSchema(*file.metadata);
  if (schema.ok()) return schema;
  return schema.status().WithContext(file.file.path + ": the schema cannot be read");
}

using ColumnsByName = std::unordered_map<std::string, const SchemaColumn*>;

ColumnsByName ByName(const SchemaColumns& schema) {
  ColumnsByName by_name;
  for (const SchemaColumn& column : schema)
    by_name.emplace(column.column.name, &column);
  return by_name;
}

// Whether `name` is the column or a field above it.
bool IsBelow(const Column& column, const std::string& name) {
  if (column.name == name) return true;
  std::string above;
  for (const std::string& field : column.path) {
    if (!above.empty()) above += '.';
    above += field;
    if (above == name) return true;
  }
  return false;
}

// Those of the columns that rowfeed can read whose names match, as a shell matches file
// names.
SchemaColumns Match(const SchemaColumns& schema, const std::string& pattern) {
  SchemaColumns found;
  for (const SchemaColumn& column : schema) {
    const bool matches = fnmatch(pattern.c_str(), column.column.name.c_str(), 0) == 0;
    if (matches && column.column.unsupported.empty()) found.push_back(column);
  }
  return found;
}

// The columns of that name or below it; if there are none, those that match it.
Result<SchemaColumns> Find(const SchemaColumns& schema, const std::string& name) {
  SchemaColumns found;
  for (const SchemaColumn& column : schema) {
    if (!IsBelow(column.column, name)) continue;
    if (!column.column.unsupported.empty()) return UnsupportedColumn(column.column);
    found.push_back(column);
  }
  if (!found.empty() || ProvenanceNamed(name)) return found;
  found = Match(schema, name);
  if (!found.empty()) return found;
  std::vector<Column> all;
  for (const SchemaColumn& column : schema) all.push_back(column.column);
  return UnknownColumn(name, all);
}

Result<SchemaColumns> Select(const SchemaColumns& schema,
                             const std::vector<std::string>& names) {
  std::unordered_set<std::string> asked;
  std::unordered_set<std::string> taken;
  SchemaColumns selected;
  for (const std::string& name : names) {
    if (!asked.insert(name).second) {
      return Status::Invalid("column '", name, "' is asked for twice");
    }
    ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns found, Find(schema, name));
    for (const SchemaColumn& column : found) {
      if (taken.insert(column.column.name).second) selected.push_back(column);
    }
  }
  return selected;
}

// Behind the columns of the file, which come first where names are the same.
void AddPartitions(const std::vector<ListedFile>& listed, SchemaColumns* columns) {
  std::vector<std::string_view> names;
  names.reserve(listed.size());
  for (const ListedFile& file : listed) names.push_back(file.name);
  const SchemaColumns of_file = *columns;
  for (Column& column : PartitionColumns(names)) {
    const bool is_there = std::any_of(
        of_file.begin(), of_file.end(),
        [&](const SchemaColumn& other) { return IsBelow(other.column, column.name); });
    if (!is_there) columns->push_back({std::move(column), "", -1});
  }
}

Result<Reference> MakeReference(FileWithFooter first,
                                const std::vector<ListedFile>& listed,
                                const std::optional<std::vector<std::string>>& names) {
  ROWFEED_ASSIGN_OR_RETURN(SchemaColumns columns, SchemaOf(first));
  AddPartitions(listed, &columns);
  if (names) {
    Result<SchemaColumns> selected = Select(columns, *names);
    if (!selected.ok()) return selected.status().WithContext(first.file.path);
    columns = *std::move(selected);
  }
  return Reference{std::move(first), std::move(columns)};
}

// The reference's columns as `file`, whose schema is another, has them.
Result<SchemaColumns> MatchColumns(const FileWithFooter& file,
                                   const Reference& reference) {
  ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, SchemaOf(file));
  const ColumnsByName by_name = ByName(schema);
  SchemaColumns matched;
  for (const SchemaColumn& expected : reference.columns) {
    if (expected.leaf < 0) {  // it is not read: nothing to agree on
      matched.push_back(expected);
      continue;
    }
    const Column& column = expected.column;
    const auto found = by_name.find(column.name);
    const bool is_struct =
        found == by_name.end() &&
        std::any_of(schema.begin(), schema.end(), [&](const SchemaColumn& other) {
          return IsBelow(other.column, column.name);
        });
    if (found == by_name.end() && !is_struct) {
      return Status::Invalid(file.file.path, " has no column '", column.name,
                             "', which is ", column.logical_type, " in ",
                             reference.first.file.path);
    }
    if (is_struct || found->second->kind != expected.kind) {
      return Status::Invalid(
          file.file.path, ": column '", column.name, "' is ",
          is_struct ? "a struct" : found->second->column.logical_type, ", but ",
          column.logical_type, " in ", reference.first.file.path);
    }
    matched.push_back(*found->second);
  }
  return matched;
}

Result<FileFacts> ReadFacts(FileWithFooter file, const Reference& reference) {
  SchemaColumns matched;
  const SchemaColumns* columns = &reference.columns;
  if (!SameSchema(*file.metadata, *reference.first.metadata)) {
    ROWFEED_ASSIGN_OR_RETURN(matched, MatchColumns(file, reference));
    columns = &matched;
  }
  FileFacts facts;
  for (const SchemaColumn& column : *columns)
    facts.storage.push_back(column.column.storage);
  ROWFEED_ASSIGN_OR_RETURN(facts.content,
                           ReadChunks(*file.metadata, file.file, *columns));
  facts.file = std::move(file.file);
  return facts;
}

// The facts of every file, or all that is wrong with them. Without a reference, files
// are only looked at for what is wrong.
Result<std::vector<FileFacts>> ReadAll(const std::vector<ListedFile>& listed,
                                       const Result<Reference>& reference,
                                       int num_threads,
                                       const std::function<bool()>& cancelled) {
  std::vector<FileFacts> facts(listed.size());
  std::vector<Status> statuses(listed.size());
  const auto read = [&](size_t i) -> Status {
    if (cancelled && cancelled()) {
      return Status(StatusCode::kCancelled, "opening was cancelled");
    }
    if (i == 0 && !reference.ok()) return reference.status();
    ROWFEED_ASSIGN_OR_RETURN(
        FileWithFooter file,
        i == 0 ? Result<FileWithFooter>(reference->first) : OpenFooter(listed[i]));
    if (!reference.ok()) return {};
    ROWFEED_ASSIGN_OR_RETURN(facts[i], ReadFacts(std::move(file), *reference));
    return {};
  };
  ParallelFor(listed.size(), num_threads,
              [&](size_t i) { statuses[i] = CatchParquet([&] { return read(i); }); });
  Problems problems;
  for (Status& status : statuses) problems.Add(std::move(status));
  ROWFEED_RETURN_NOT_OK(problems.ToStatus());
  return facts;
}

std::shared_ptr<const Catalog> Build(const Reference& reference,
                                     std::vector<FileFacts> facts) {
  std::vector<Column> columns;
  for (const SchemaColumn& column : reference.columns) columns.push_back(column.column);
  CatalogBuilder builder(std::move(columns));
  for (FileFacts& file : facts) {
    const FileFacts taken = std::move(file);  // freed as the catalog grows
    builder.AddFile(taken.file, taken.storage, taken.content.group_rows,
                    taken.content.chunks);
  }
  return std::move(builder).Finish();
}

Result<std::shared_ptr<const Catalog>> OpenCatalog(
    const std::vector<ListedFile>& listed,
    const std::optional<std::vector<std::string>>& columns, int num_threads,
    const std::function<bool()>& cancelled) {
  Result<FileWithFooter> first = OpenFooter(listed.front());
  const Result<Reference> reference = first.ok()
                                          ? MakeReference(*first, listed, columns)
                                          : Result<Reference>(first.status());
  // Columns asked for that are not there need no look at other files.
  if (first.ok() && !reference.ok()) return reference.status();
  ROWFEED_ASSIGN_OR_RETURN(std::vector<FileFacts> facts,
                           ReadAll(listed, reference, num_threads, cancelled));
  return Build(*reference, std::move(facts));
}

}  // namespace

Result<std::shared_ptr<const Catalog>> Catalog::Open(
    const std::vector<std::string>& paths,
    const std::optional<std::vector<std::string>>& columns, int num_threads,
    const std::function<bool()>& cancelled) {
  return CatchParquet([&]() -> Result<std::shared_ptr<const Catalog>> {
    ROWFEED_ASSIGN_OR_RETURN(const std::vector<ListedFile> listed, ListFiles(paths));
    return OpenCatalog(listed, columns, num_threads, cancelled);
  });
}

Result<std::shared_ptr<const Catalog>> Catalog::Reopen(
    const std::vector<CatalogFile>& files,
    const std::optional<std::vector<std::string>>& columns, int num_threads) {
  if (files.empty()) return Status::Invalid("there are no files to open");
  std::vector<ListedFile> listed;
  listed.reserve(files.size());
  for (const CatalogFile& file : files) listed.push_back({file.path, file.name});
  return CatchParquet(
      [&] { return OpenCatalog(listed, columns, num_threads, nullptr); });
}

}  // namespace rowfeed
