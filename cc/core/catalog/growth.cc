// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/growth.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/arrow_status.h"
#include "core/catalog/footer.h"
#include "core/catalog/listing/listing.h"
#include "core/catalog/partition.h"
#include "core/catalog/reference.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"
#include "core/try_each.h"

namespace rowfeed {
namespace {

// A listed file, and what is known about it, if anything.
struct Found {
  ListedFile listed;
  std::optional<FileFacts> facts;
  bool is_passed_over = false;
};

// Finds what a catalog knows about its files, by path.
class KnownFiles {
 public:
  explicit KnownFiles(std::shared_ptr<const Catalog> catalog)
      : catalog_(std::move(catalog)) {
    if (catalog_ == nullptr) return;
    first_groups_.resize(catalog_->files().size() + 1);
    for (const RowGroup& group : catalog_->row_groups()) {
      ++first_groups_[group.file + 1];
    }
    for (size_t i = 0; i < catalog_->files().size(); ++i) {
      first_groups_[i + 1] += first_groups_[i];
      by_path_.emplace(catalog_->files()[i].path, i);
    }
  }

  // Returns what is known about this version of the file; nullopt if nothing is.
  std::optional<FileFacts> Find(const ListedFile& listed,
                                const FileVersion& version) const {
    const auto found = by_path_.find(listed.path);
    if (found == by_path_.end()) return std::nullopt;
    const CatalogFile& file = catalog_->files()[found->second];
    if (file.version() != version || file.name != listed.name ||
        file.partitions != listed.partitions) {
      return std::nullopt;
    }
    return FactsOf(found->second);
  }

 private:
  FileFacts FactsOf(size_t index) const {
    FileFacts facts;
    facts.file = catalog_->files()[index];
    facts.layout = {catalog_, &catalog_->layout(index)};
    const auto num_columns = static_cast<int>(catalog_->columns().size());
    for (int column = 0; column < num_columns; ++column) {
      // The column's type may be supported, but the catalog has nothing about its
      // chunks.
      const std::string& reason = catalog_->columns()[column].unsupported;
      if (reason.empty()) continue;
      facts.content.problems.push_back(
          {static_cast<size_t>(column), "", Status::Unsupported(reason)});
    }
    for (int64_t g = first_groups_[index]; g < first_groups_[index + 1]; ++g) {
      facts.content.group_rows.push_back(catalog_->row_groups()[g].rows);
      for (int column = 0; column < num_columns; ++column) {
        facts.content.chunks.push_back(catalog_->chunk(g, column));
      }
    }
    return facts;
  }

  std::shared_ptr<const Catalog> catalog_;
  // The number of the first row group of each file, and at the end the number of row
  // groups.
  std::vector<int64_t> first_groups_;
  std::unordered_map<std::string_view, size_t> by_path_;
};

Status CheckCancelled(const Cancelled& cancelled) {
  if (!cancelled || !cancelled()) return {};
  return {StatusCode::kCancelled, "listing was cancelled"};
}

// Calls `body` for all files in parallel, and returns all errors. A file that does not
// exist any more is left out.
Status ForEach(std::vector<Found>* files, int num_threads, const Cancelled& cancelled,
               const std::function<Status(Found*)>& body) {
  return TryEach(files->size(), num_threads, [&](size_t i) {
    Status status = CatchParquet([&]() -> Status {
      ROWFEED_RETURN_NOT_OK(CheckCancelled(cancelled));
      return body(&(*files)[i]);
    });
    if (status.code() != StatusCode::kNotFound) return status;
    (*files)[i].is_passed_over = true;
    return Status();
  });
}

void DropPassedOver(std::vector<Found>* files) {
  files->erase(std::remove_if(files->begin(), files->end(),
                              [](const Found& file) { return file.is_passed_over; }),
               files->end());
}

// Returns the listed files that exist and are complete, with the facts of those that
// are known.
Result<std::vector<Found>> Find(const std::vector<ListedFile>& listed,
                                const KnownFiles& known, int num_threads,
                                const Cancelled& cancelled) {
  std::vector<Found> files;
  files.reserve(listed.size());
  for (const ListedFile& file : listed) files.push_back({file, std::nullopt});
  const auto look = [&](Found* found) -> Status {
    ROWFEED_ASSIGN_OR_RETURN(const auto file, OpenFile(found->listed.path, cancelled));
    found->facts = known.Find(found->listed, file->version());
    if (found->facts) return {};
    const Result<bool> is_complete = EndsAsParquet(*file, cancelled);
    // A file that changes while it is read is being written.
    const bool changes = is_complete.status().code() == StatusCode::kCorrupt;
    if (!changes) ROWFEED_RETURN_NOT_OK(is_complete.status());
    found->is_passed_over = changes || !*is_complete;
    return {};
  };
  ROWFEED_RETURN_NOT_OK(ForEach(&files, num_threads, cancelled, look));
  DropPassedOver(&files);
  return files;
}

// Checks that the values of new directories fit the types of the partition columns.
Status CheckPartitions(const std::vector<Found>& files, const Reference& reference) {
  for (const Column& expected : reference.columns) {
    if (!expected.is_partition) continue;
    for (const Found& found : files) {
      const CatalogFile& file = found.facts->file;
      Status status = PartitionFits(expected, file.partitions);
      if (!status.ok()) return status.WithContext(ShownPath(file.path));
    }
  }
  return {};
}

// Makes the reference from the first file that can be opened, preferably one that is
// known already. If `known` is not nullptr, the columns are those of `known`, whatever
// that file has.
Result<Reference> FindReference(std::vector<Found>* files,
                                const std::optional<std::vector<std::string>>& columns,
                                const Catalog* known, int num_threads,
                                const Cancelled& cancelled) {
  std::vector<Found*> order;
  order.reserve(files->size());
  for (Found& file : *files) order.push_back(&file);
  std::stable_partition(order.begin(), order.end(),
                        [](const Found* file) { return file->facts.has_value(); });
  for (size_t i = 0; i < order.size(); ++i) {
    Result<FileWithFooter> first = OpenFooter(order[i]->listed, cancelled);
    order[i]->is_passed_over = first.status().code() == StatusCode::kNotFound;
    if (order[i]->is_passed_over) continue;
    ROWFEED_RETURN_NOT_OK(first.status());
    if (known != nullptr) return MakeReference(*std::move(first), known->columns());
    std::vector<ListedFile> listed;
    for (size_t k = i; k < order.size(); ++k) listed.push_back(order[k]->listed);
    return MakeReference(*std::move(first), listed, columns, num_threads, cancelled);
  }
  return Status(StatusCode::kNotFound, "no complete Parquet file is there any more");
}

bool IsSame(const std::vector<Found>& files, const Catalog& known) {
  if (files.size() != known.files().size()) return false;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!files[i].facts || files[i].listed.path != known.files()[i].path) return false;
  }
  return true;
}

}  // namespace

Growth::Growth(std::vector<std::string> paths,
               std::optional<std::vector<std::string>> columns, int num_threads,
               PartitionRule rule)
    : paths_(std::move(paths)),
      columns_(std::move(columns)),
      num_threads_(num_threads),
      rule_(std::move(rule)) {}
Growth::~Growth() = default;
Growth::Growth(Growth&&) noexcept = default;

Result<std::shared_ptr<const Catalog>> Growth::List(
    std::shared_ptr<const Catalog> known, const Cancelled& cancelled,
    Notices* notices) {
  return CatchParquet([&]() -> Result<std::shared_ptr<const Catalog>> {
    ROWFEED_ASSIGN_OR_RETURN(const std::vector<ListedFile> listed,
                             ListFiles(paths_, cancelled, notices, rule_));
    const int num_threads = FooterThreads(listed, num_threads_);
    ROWFEED_ASSIGN_OR_RETURN(std::vector<Found> files,
                             Find(listed, KnownFiles(known), num_threads, cancelled));
    if (known && IsSame(files, *known)) return known;
    if (!reference_) {
      ROWFEED_ASSIGN_OR_RETURN(
          Reference made,
          FindReference(&files, columns_, known.get(), num_threads, cancelled));
      reference_ = std::make_unique<const Reference>(std::move(made));
      DropPassedOver(&files);
    }
    const auto read = [&](Found* found) -> Status {
      if (found->facts) return {};
      ROWFEED_ASSIGN_OR_RETURN(FileWithFooter file,
                               OpenFooter(std::move(found->listed), cancelled));
      ROWFEED_ASSIGN_OR_RETURN(found->facts, ReadFacts(std::move(file), *reference_));
      // A problem with a column is an error if the column was named, or if it could be
      // read before: then somebody may be reading it.
      return CheckProblems(*found->facts, *reference_, [&](size_t column) {
        return columns_ || (known && known->columns()[column].unsupported.empty());
      });
    };
    ROWFEED_RETURN_NOT_OK(ForEach(&files, num_threads, cancelled, read));
    DropPassedOver(&files);
    if (files.empty()) {
      return Status(StatusCode::kNotFound,
                    paths_[0] + ": no complete Parquet file is there");
    }
    ROWFEED_RETURN_NOT_OK(CheckPartitions(files, *reference_));
    FilesInOrder in_order(*reference_);
    for (size_t i = 0; i < files.size(); ++i)
      in_order.Add(i, *std::move(files[i].facts));
    return std::move(in_order).Finish(notices);
  });
}

}  // namespace rowfeed
