// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/reference.h"

#include <fnmatch.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/arrow_status.h"
#include "core/catalog/column_errors.h"
#include "core/catalog/footer.h"
#include "core/catalog/partition.h"
#include "core/catalog/provenance.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"
#include "core/problems.h"
#include "core/try_each.h"

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

// Which columns each name stands for: its own column, or the columns below a struct.
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

// What a name of Catalog::Open stands for.
struct Choice {
  std::string name;
  Result<SchemaColumns> found;
  size_t file = 0;  // that it was found in
};

// Whether another file may have what the name stands for.
bool MayBeElsewhere(const SchemaColumns& schema, const Choice& choice) {
  if (choice.found.ok()) return false;
  if (choice.found.status().code() == StatusCode::kKey) return true;
  return std::all_of(schema.begin(), schema.end(), [&](const SchemaColumn& column) {
    return column.is_nulls || column.column.unsupported.empty() ||
           !IsBelow(column.column, choice.name);
  });
}

// Looks for columns that the first file lacks in the others. Each becomes what it is in
// the first that has it, in whatever order they are read.
class Search {
 public:
  Search(const std::vector<ListedFile>& listed, std::vector<Choice*> wanted)
      : listed_(listed), wanted_(std::move(wanted)) {}

  // Files that cannot be read are passed over: it is said elsewhere what they lack.
  Status Run(int num_threads, const Cancelled& cancelled) {
    const Status status = TryEach(listed_.size(), num_threads, [&](size_t i) -> Status {
      if (i == 0 || !IsWanted(i)) return {};
      return CatchParquet([&]() -> Status {
        ROWFEED_ASSIGN_OR_RETURN(const FileWithFooter file,
                                 OpenFooter(listed_[i], cancelled));
        ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, SchemaOf(file));
        Look(i, schema);
        return {};
      });
    });
    return EndsAll(status) ? status : Status();
  }

 private:
  static bool IsOpen(const Choice& choice, size_t file) {
    return !choice.found.ok() || choice.file > file;
  }
  bool IsWanted(size_t file) {
    const std::lock_guard lock(mutex_);
    return std::any_of(wanted_.begin(), wanted_.end(),
                       [&](const Choice* choice) { return IsOpen(*choice, file); });
  }
  void Look(size_t file, const SchemaColumns& schema) {
    const ColumnsBelow below(schema);
    const std::lock_guard lock(mutex_);
    for (Choice* choice : wanted_) {
      if (!IsOpen(*choice, file)) continue;
      Result<SchemaColumns> found = Find(schema, below, choice->name);
      if (found.ok()) *choice = {choice->name, *std::move(found), file};
    }
  }

  const std::vector<ListedFile>& listed_;
  const std::vector<Choice*> wanted_;
  std::mutex mutex_;
};

// What the names stand for, in their order.
Result<std::vector<Choice>> Choose(const SchemaColumns& schema,
                                   const std::vector<std::string>& names,
                                   const std::vector<ListedFile>& listed,
                                   int num_threads, const Cancelled& cancelled) {
  const ColumnsBelow below(schema);
  std::unordered_set<std::string> asked;
  std::vector<Choice> choices;
  for (const std::string& name : names) {
    if (!asked.insert(name).second) {
      return Status::Invalid("column '", name, "' is asked for twice");
    }
    choices.push_back({name, Find(schema, below, name)});
  }
  std::vector<Choice*> wanted;
  for (Choice& choice : choices) {
    if (MayBeElsewhere(schema, choice)) wanted.push_back(&choice);
  }
  if (!wanted.empty()) {
    ROWFEED_RETURN_NOT_OK(Search(listed, wanted).Run(num_threads, cancelled));
  }
  return choices;
}

Result<SchemaColumns> Select(const SchemaColumns& schema,
                             const std::vector<std::string>& names,
                             const std::vector<ListedFile>& listed, int num_threads,
                             const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(const std::vector<Choice> choices,
                           Choose(schema, names, listed, num_threads, cancelled));
  std::unordered_set<std::string> taken;
  SchemaColumns selected;
  for (const Choice& choice : choices) {
    ROWFEED_RETURN_NOT_OK(choice.found.status());
    for (const SchemaColumn& column : *choice.found) {
      if (taken.insert(column.column.name).second) selected.push_back(column);
    }
  }
  return selected;
}

// Behind the columns of the file, which come first where names are the same.
void AddPartitions(const std::vector<ListedFile>& listed, SchemaColumns* columns) {
  std::vector<std::string_view> of_files;
  of_files.reserve(listed.size());
  for (const ListedFile& file : listed) of_files.push_back(file.partitions);
  std::vector<Column> partitions = PartitionColumns(of_files);
  if (partitions.empty()) return;
  const SchemaColumns of_file = *columns;
  const ColumnsBelow below(of_file);
  for (Column& column : partitions) {
    if (below.of(column.name).empty()) columns->push_back({std::move(column)});
  }
}

}  // namespace

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

Result<Reference> MakeReference(FileWithFooter first, std::vector<Column> columns) {
  ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, SchemaOf(first));
  FileColumns of_first = MatchColumns(columns, schema);
  return Reference{std::move(first), std::move(columns), std::move(of_first)};
}

Result<Reference> MakeReference(FileWithFooter first,
                                const std::vector<ListedFile>& listed,
                                const std::optional<std::vector<std::string>>& names,
                                int num_threads, const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(SchemaColumns columns, SchemaOf(first));
  AddPartitions(listed, &columns);
  if (names) {
    Result<SchemaColumns> selected =
        Select(columns, *names, listed, num_threads, cancelled);
    if (!selected.ok()) {
      return selected.status().WithContext(ShownPath(first.file.path));
    }
    columns = *std::move(selected);
  }
  return MakeReference(std::move(first), ColumnsOf(columns));
}

Result<FileFacts> ReadFacts(FileWithFooter file, const Reference& reference) {
  FileColumns own;
  const FileColumns* columns = &reference.of_first;
  if (!SameSchema(*file.metadata, *reference.first.metadata)) {
    ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, SchemaOf(file));
    own = MatchColumns(reference.columns, schema);
    columns = &own;
  }
  FileFacts facts;
  facts.layout = columns->layout;
  const std::vector<SchemaColumn>& leaves = columns->leaves;
  facts.num_stored =
      columns->unreadable.size() +
      std::count_if(leaves.begin(), leaves.end(),
                    [](const SchemaColumn& column) { return column.leaf >= 0; });
  ROWFEED_ASSIGN_OR_RETURN(facts.content,
                           ReadChunks(*file.metadata, file.file, leaves));
  // A column that is unreadable in the file has no chunks to have another problem.
  for (const auto& [column, why] : columns->unreadable) {
    facts.content.problems.push_back(
        {column, ShownPath(file.file.path), Status::Unsupported(why)});
  }
  facts.file = std::move(file.file);
  return facts;
}

Status CheckProblems(const FileFacts& facts, const Reference& reference,
                     const std::function<bool(size_t)>& asked) {
  const std::vector<ColumnProblem>& problems = facts.content.problems;
  for (const ColumnProblem& problem : problems) {
    if (asked(problem.column) || problems.size() == facts.num_stored) {
      return problem.Error(reference.columns[problem.column].name);
    }
  }
  return {};
}

FilesInOrder::FilesInOrder(const Reference& reference) : builder_(reference.columns) {}

void FilesInOrder::Add(size_t index, FileFacts facts) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(index, std::move(facts));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_;
       next = waiting_.erase(next), ++next_) {
    FileFacts& file = next->second;
    for (const ColumnProblem& problem : file.content.problems) {
      builder_.Refuse(problem.column, problem.Reason());
    }
    builder_.AddFile(std::move(file.file), *file.layout, file.content.group_rows,
                     file.content.chunks);
  }
}

std::shared_ptr<const Catalog> FilesInOrder::Finish() && {
  return std::move(builder_).Finish();
}

}  // namespace rowfeed
