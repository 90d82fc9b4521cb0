// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/chosen_columns.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "core/arrow_status.h"
#include "core/catalog/file_columns.h"
#include "core/catalog/opened_footer.h"
#include "core/catalog/schema/column_errors.h"
#include "core/catalog/schema/provenance.h"
#include "core/glob.h"
#include "core/problems.h"
#include "core/try_each.h"

namespace rowfeed {
namespace {

// Returns the columns that rowfeed can read and whose names match the pattern.
SchemaColumns Match(const SchemaColumns& schema, const std::string& pattern) {
  SchemaColumns found;
  for (const SchemaColumn& column : schema) {
    const bool matches = MatchGlob(pattern, column.column.name);
    if (matches && column.column.unsupported.empty()) found.push_back(column);
  }
  return found;
}

// Makes the error for an unsupported `column`, which `name` asks for: it is the column
// of that name, or one below it. `others` are the columns below `name` that can be
// read.
Status UnsupportedBelow(const std::string& name, const Column& column,
                        const SchemaColumns& others, const SchemaColumns& schema) {
  Status status = UnsupportedColumn(column, ColumnsIn(schema));
  if (column.name == name || others.empty()) return status;
  std::string names;
  for (const SchemaColumn& other : others) {
    names += (names.empty() ? "'" : ", '") + other.column.name + "'";
  }
  return Status::Unsupported(status.message(), "; ask for ", names, " instead of '",
                             name, "'");
}

// Returns the columns of this name or below it; if there are none, the columns whose
// names match it as a pattern.
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
  if (!found.empty() || EnumeratorNamed<Provenance>(name)) return found;
  found = Match(schema, name);
  if (!found.empty()) return found;
  return UnknownColumn(name, ColumnsIn(schema));
}

// A name given to Catalog::Open, and the columns that it stands for.
struct Choice {
  std::string name;
  Result<SchemaColumns> found;
  size_t file = 0;  // number of the file in which they were found
};

// Whether a file other than the first may have the columns that the name stands for.
bool MayBeElsewhere(const SchemaColumns& schema, const Choice& choice) {
  if (choice.found.ok()) return false;
  if (choice.found.status().code() == StatusCode::kKey) return true;
  return std::all_of(schema.begin(), schema.end(), [&](const SchemaColumn& column) {
    return column.is_nulls || column.column.unsupported.empty() ||
           !IsBelow(column.column, choice.name);
  });
}

// Looks in the other files for columns that the first file lacks. Each column gets the
// type of the first file in the list that has it, in whatever order the files are read.
class Search {
 public:
  Search(const std::vector<ListedFile>& listed, std::vector<Choice*> wanted)
      : listed_(listed), wanted_(std::move(wanted)) {}

  // Looks through the files. A file that cannot be read is no error here: it is
  // reported when its footer is read for the catalog.
  Status Run(int num_threads, const Cancelled& cancelled) {
    const Status status = TryEach(listed_.size(), num_threads, [&](size_t i) -> Status {
      if (i == 0 || !IsWanted(i)) return {};
      return CatchParquet([&]() -> Status {
        ROWFEED_ASSIGN_OR_RETURN(const FileWithFooter file,
                                 OpenFooter(listed_[i], cancelled));
        ROWFEED_ASSIGN_OR_RETURN(const SchemaColumns schema, ReadSchemaOf(file));
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

// Returns what the names stand for, in their order.
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

}  // namespace

std::vector<Column> ColumnsIn(const SchemaColumns& columns) {
  std::vector<Column> result;
  result.reserve(columns.size());
  for (const SchemaColumn& column : columns) result.push_back(column.column);
  return result;
}

Result<SchemaColumns> SelectColumns(const SchemaColumns& schema,
                                    const std::vector<std::string>& names,
                                    const std::vector<ListedFile>& listed,
                                    int num_threads, const Cancelled& cancelled) {
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

}  // namespace rowfeed
