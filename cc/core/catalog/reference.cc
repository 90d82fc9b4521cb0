// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/reference.h"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/catalog/column_errors.h"
#include "core/catalog/footer.h"
#include "core/catalog/partition.h"
#include "core/catalog/provenance.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

using SchemaColumns = std::vector<SchemaColumn>;

constexpr int kRemoteFooterThreads = 24;

Result<SchemaColumns> SchemaOf(const FileWithFooter& file) {
  Result<SchemaColumns> schema = ReadSchema(*file.metadata);
  if (schema.ok()) return schema;
  return schema.status().WithContext(ShownPath(file.file.path) +
                                     ": the schema cannot be read");
}

std::vector<Column> ColumnsOf(const SchemaColumns& columns) {
  std::vector<Column> result;
  result.reserve(columns.size());
  for (const SchemaColumn& column : columns) result.push_back(column.column);
  return result;
}

using ColumnsByName = std::unordered_map<std::string, const SchemaColumn*>;

ColumnsByName ByName(const SchemaColumns& schema) {
  ColumnsByName by_name;
  for (const SchemaColumn& column : schema)
    by_name.emplace(column.column.name, &column);
  return by_name;
}

// Finds the columns that a name stands for: its own, or those below a struct.
// Joined by dots, different paths may have one name.
class ColumnsBelow {
 public:
  explicit ColumnsBelow(const SchemaColumns& schema) {
    for (const SchemaColumn& column : schema) {
      std::string name;
      for (const std::string& field : column.column.path) {
        if (&field != &column.column.path.front()) name += '.';
        name += field;
        by_name_[name].push_back(&column);
      }
    }
  }

  // In the order of the schema; empty if there is none.
  const std::vector<const SchemaColumn*>& of(const std::string& name) const {
    static const auto* const none = new std::vector<const SchemaColumn*>;
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? *none : found->second;
  }

 private:
  std::unordered_map<std::string, std::vector<const SchemaColumn*>> by_name_;
};

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

// `column` is what is asked for by `name`, or one of the fields below it, of which
// others can be read.
Status UnsupportedBelow(const std::string& name, const Column& column,
                        const SchemaColumns& others, const SchemaColumns& schema) {
  const Status status = UnsupportedColumn(column, ColumnsOf(schema));
  if (column.name == name || others.empty()) return status;
  std::string names;
  for (const SchemaColumn& other : others) {
    names += (names.empty() ? "'" : ", '") + other.column.name + "'";
  }
  return Status::Unsupported(status.message(), "; ask for ", names, " instead of '",
                             name, "'");
}

// The columns of that name or below it; if there are none, those that match it.
Result<SchemaColumns> Find(const SchemaColumns& schema, const ColumnsBelow& below,
                           const std::string& name) {
  SchemaColumns found;
  const SchemaColumn* unsupported = nullptr;
  for (const SchemaColumn* column : below.of(name)) {
    if (column->column.unsupported.empty()) {
      found.push_back(*column);
    } else if (unsupported == nullptr) {
      unsupported = column;
    }
  }
  if (unsupported != nullptr) {
    return UnsupportedBelow(name, unsupported->column, found, schema);
  }
  if (!found.empty() || ProvenanceNamed(name)) return found;
  found = Match(schema, name);
  if (!found.empty()) return found;
  return UnknownColumn(name, ColumnsOf(schema));
}

Result<SchemaColumns> Select(const SchemaColumns& schema,
                             const std::vector<std::string>& names) {
  const ColumnsBelow below(schema);
  std::unordered_set<std::string> asked;
  std::unordered_set<std::string> taken;
  SchemaColumns selected;
  for (const std::string& name : names) {
    if (!asked.insert(name).second) {
      return Status::Invalid("column '", name, "' is asked for twice");
    }
    ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns found, Find(schema, below, name));
    for (const SchemaColumn& column : found) {
      if (taken.insert(column.column.name).second) selected.push_back(column);
    }
  }
  return selected;
}

// Behind the columns of the file, which come first where names are the same.
void AddPartitions(const std::vector<std::string_view>& partitions,
                   SchemaColumns* columns) {
  if (partitions.empty()) return;
  const SchemaColumns of_file = *columns;
  const ColumnsBelow below(of_file);
  for (Column& column : PartitionColumns(partitions)) {
    if (below.of(column.name).empty()) columns->push_back({std::move(column), "", -1});
  }
}

// The reference's columns as `file`, whose schema is another, has them. Those of the
// same type that it has in a way that cannot be read become problems.
Result<SchemaColumns> MatchColumns(const FileWithFooter& file,
                                   const Reference& reference,
                                   std::vector<ColumnProblem>* problems) {
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
        found == by_name.end() && !ColumnsBelow(schema).of(column.name).empty();
    if (found == by_name.end() && !is_struct) {
      return Status::Invalid(ShownPath(file.file.path), " has no column '", column.name,
                             "', which is ", column.logical_type, " in ",
                             ShownPath(reference.first.file.path));
    }
    if (is_struct || found->second->kind != expected.kind) {
      return Status::Invalid(
          ShownPath(file.file.path), ": column '", column.name, "' is ",
          is_struct ? "a struct" : found->second->column.logical_type, ", but ",
          column.logical_type, " in ", ShownPath(reference.first.file.path));
    }
    if (!found->second->column.unsupported.empty()) {
      problems->push_back({matched.size(), ShownPath(file.file.path),
                           Status::Unsupported(found->second->column.unsupported)});
    }
    matched.push_back(*found->second);
  }
  return matched;
}

SharedStorage StorageOf(const SchemaColumns& columns) {
  std::vector<ColumnStorage> storage;
  storage.reserve(columns.size());
  for (const SchemaColumn& column : columns) storage.push_back(column.column.storage);
  return std::make_shared<const std::vector<ColumnStorage>>(std::move(storage));
}

}  // namespace

Reference::Reference(FileWithFooter first, std::vector<SchemaColumn> columns)
    : first(std::move(first)),
      columns(std::move(columns)),
      storage(StorageOf(this->columns)) {}

Result<FileWithFooter> OpenFooter(ListedFile listed, const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(const auto file, OpenFile(listed.path, cancelled));
  ROWFEED_ASSIGN_OR_RETURN(Footer footer, ReadFooter(*file, cancelled));
  const FileVersion& version = file->version();
  return FileWithFooter{
      {std::move(listed.path), std::move(listed.name), std::move(listed.partitions),
       version.size, version.mtime_ns, version.etag, footer.digest},
      std::move(footer.metadata)};
}

int FooterThreads(const std::vector<ListedFile>& listed, int num_threads) {
  const bool is_remote =
      std::any_of(listed.begin(), listed.end(),
                  [](const ListedFile& file) { return IsUri(file.path); });
  return is_remote ? std::max(num_threads, kRemoteFooterThreads) : num_threads;
}

Result<Reference> MakeReference(FileWithFooter first,
                                const std::vector<std::string_view>& partitions,
                                const std::optional<std::vector<std::string>>& names) {
  ROWFEED_ASSIGN_OR_RETURN(SchemaColumns columns, SchemaOf(first));
  AddPartitions(partitions, &columns);
  if (names) {
    Result<SchemaColumns> selected = Select(columns, *names);
    if (!selected.ok())
      return selected.status().WithContext(ShownPath(first.file.path));
    columns = *std::move(selected);
  }
  return Reference(std::move(first), std::move(columns));
}

Result<FileFacts> ReadFacts(FileWithFooter file, const Reference& reference) {
  SchemaColumns matched;
  std::vector<ColumnProblem> problems;
  const SchemaColumns* columns = &reference.columns;
  FileFacts facts;
  facts.storage = reference.storage;
  if (!SameSchema(*file.metadata, *reference.first.metadata)) {
    ROWFEED_ASSIGN_OR_RETURN(matched, MatchColumns(file, reference, &problems));
    columns = &matched;
    facts.storage = StorageOf(matched);
  }
  ROWFEED_ASSIGN_OR_RETURN(facts.content,
                           ReadChunks(*file.metadata, file.file, *columns));
  // A column that is unsupported in the file has no chunks to have another problem.
  std::move(problems.begin(), problems.end(),
            std::back_inserter(facts.content.problems));
  facts.file = std::move(file.file);
  return facts;
}

Status CheckProblems(const FileFacts& facts, const Reference& reference,
                     const std::function<bool(size_t)>& asked) {
  const std::vector<ColumnProblem>& problems = facts.content.problems;
  if (problems.empty()) return {};
  const SchemaColumns& columns = reference.columns;
  const auto num_columns = static_cast<size_t>(
      std::count_if(columns.begin(), columns.end(),
                    [](const SchemaColumn& column) { return column.leaf >= 0; }));
  for (const ColumnProblem& problem : problems) {
    if (asked(problem.column) || problems.size() == num_columns) {
      return problem.Error(columns[problem.column].column.name);
    }
  }
  return {};
}

FilesInOrder::FilesInOrder(const Reference& reference)
    : builder_(ColumnsOf(reference.columns)) {}

void FilesInOrder::Add(size_t index, FileFacts facts) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(index, std::move(facts));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_;
       next = waiting_.erase(next), ++next_) {
    FileFacts& file = next->second;
    for (const ColumnProblem& problem : file.content.problems) {
      builder_.Refuse(problem.column, problem.Reason());
    }
    builder_.AddFile(std::move(file.file), *file.storage, file.content.group_rows,
                     file.content.chunks);
  }
}

std::shared_ptr<const Catalog> FilesInOrder::Finish() && {
  return std::move(builder_).Finish();
}

}  // namespace rowfeed
