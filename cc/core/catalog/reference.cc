// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/reference.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/catalog/chosen_columns.h"
#include "core/catalog/partition.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

using SchemaColumns = std::vector<SchemaColumn>;

// Adds the columns made from directories after the columns of the file. If names are
// equal, the column of the file counts.
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

// Returns the names of the columns in `schema` that are none of `columns`. The index
// that pandas adds by itself is not meant as a column, and so is not among them.
std::vector<std::string> NamesBeyond(const std::vector<Column>& columns,
                                     const SchemaColumns& schema) {
  std::unordered_set<std::string_view> known;
  for (const Column& column : columns) known.insert(column.name);
  std::vector<std::string> beyond;
  for (const SchemaColumn& found : schema) {
    const Column& column = found.column;
    if (!column.is_added_index && known.count(column.name) == 0) {
      beyond.push_back(column.name);
    }
  }
  return beyond;
}

}  // namespace

Result<Reference> MakeReference(FileWithFooter first, std::vector<Column> columns) {
  ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, ReadSchemaOf(first));
  FileColumns of_first = MatchColumns(columns, schema);
  return Reference{std::move(first), std::move(columns), std::move(of_first)};
}

Result<Reference> MakeReference(FileWithFooter first,
                                const std::vector<ListedFile>& listed,
                                const std::optional<std::vector<std::string>>& names,
                                int num_threads, const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(SchemaColumns columns, ReadSchemaOf(first));
  AddPartitions(listed, &columns);
  if (names) {
    Result<SchemaColumns> selected =
        SelectColumns(columns, *names, listed, num_threads, cancelled);
    if (!selected.ok()) {
      return selected.status().WithContext(ShownPath(first.file.path));
    }
    columns = *std::move(selected);
  }
  ROWFEED_ASSIGN_OR_RETURN(Reference made,
                           MakeReference(std::move(first), ColumnsIn(columns)));
  made.is_of_first = !names;
  return made;
}

Result<FileFacts> ReadFacts(FileWithFooter file, const Reference& reference) {
  FileFacts facts;
  FileColumns own;
  const FileColumns* columns = &reference.of_first;
  if (!SameSchema(*file.metadata, *reference.first.metadata) ||
      file.refused != reference.first.refused) {
    ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, ReadSchemaOf(file));
    own = MatchColumns(reference.columns, schema);
    columns = &own;
    if (reference.is_of_first) facts.left_out = NamesBeyond(reference.columns, schema);
  }
  facts.layout = columns->layout;
  const std::vector<SchemaColumn>& leaves = columns->leaves;
  facts.num_stored =
      columns->unreadable.size() +
      std::count_if(leaves.begin(), leaves.end(),
                    [](const SchemaColumn& column) { return column.leaf >= 0; });
  ROWFEED_ASSIGN_OR_RETURN(facts.content,
                           ReadChunks(*file.metadata, file.file, leaves));
  // A column that the file stores in an unreadable way has no chunks, and so no other
  // problem.
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
    for (const std::string& name : file.left_out) {
      left_out_.try_emplace(name, file.file.path);
    }
    for (const ColumnProblem& problem : file.content.problems) {
      builder_.Refuse(problem.column, problem.Reason());
    }
    builder_.AddFile(std::move(file.file), *file.layout, file.content.group_rows,
                     file.content.chunks);
  }
}

std::shared_ptr<const Catalog> FilesInOrder::Finish(Notices* notices) && {
  std::shared_ptr<const Catalog> catalog = std::move(builder_).Finish();
  // Where files also differ in columns that they have in common, an error follows.
  const bool is_alike =
      std::all_of(catalog->layouts().begin(), catalog->layouts().end(),
                  [](const FileLayout& layout) { return layout.differences.empty(); });
  if (notices != nullptr && is_alike) {
    for (const auto& [name, path] : left_out_) {
      notices->left_out.emplace(name, ShownPath(path));
    }
  }
  return catalog;
}

}  // namespace rowfeed
