// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>
#include <vector>

#include "core/arrow_status.h"
#include "core/catalog/catalog.h"
#include "core/catalog/listing/listing.h"
#include "core/catalog/reference.h"
#include "core/try_each.h"

namespace rowfeed {
namespace {

// Reads all footers and adds their files to `files`, or returns all that is wrong with
// them. If there is no reference, files are only checked. A column that cannot be read
// in one file is an error if columns `are_named`; else the column becomes unsupported.
Status ReadAll(std::vector<ListedFile> listed, const Result<Reference>& reference,
               bool are_named, int num_threads, const Cancelled& cancelled,
               FilesInOrder* files) {
  const auto read = [&](size_t i) -> Status {
    if (cancelled && cancelled()) {
      return Status(StatusCode::kCancelled, "opening was cancelled");
    }
    if (i == 0 && !reference.ok()) return reference.status();
    ROWFEED_ASSIGN_OR_RETURN(FileWithFooter file,
                             i == 0 ? Result<FileWithFooter>(reference->first)
                                    : OpenFooter(std::move(listed[i]), cancelled));
    if (!reference.ok()) return {};
    ROWFEED_ASSIGN_OR_RETURN(FileFacts facts, ReadFacts(std::move(file), *reference));
    ROWFEED_RETURN_NOT_OK(
        CheckProblems(facts, *reference, [&](size_t) { return are_named; }));
    files->Add(i, std::move(facts));
    return {};
  };
  return TryEach(listed.size(), FooterThreads(listed, num_threads),
                 [&](size_t i) { return CatchParquet([&] { return read(i); }); });
}

Result<std::shared_ptr<const Catalog>> OpenCatalog(
    std::vector<ListedFile> listed,
    const std::optional<std::vector<std::string>>& columns, int num_threads,
    const Cancelled& cancelled, Notices* notices) {
  Result<FileWithFooter> first = OpenFooter(listed.front(), cancelled);
  const Result<Reference> reference =
      first.ok() ? MakeReference(*first, listed, columns,
                                 FooterThreads(listed, num_threads), cancelled)
                 : Result<Reference>(first.status());
  // The remaining files are not read if a column that is asked for is in no file, or if
  // the store does not answer.
  if (first.ok() && !reference.ok()) return reference.status();
  if (first.status().code() == StatusCode::kUnavailable) return first.status();
  std::optional<FilesInOrder> files;
  if (reference.ok()) files.emplace(*reference);
  ROWFEED_RETURN_NOT_OK(ReadAll(std::move(listed), reference, columns.has_value(),
                                num_threads, cancelled, files ? &*files : nullptr));
  return std::move(*files).Finish(notices);
}

}  // namespace

Result<std::shared_ptr<const Catalog>> Catalog::Open(
    const std::vector<std::string>& paths,
    const std::optional<std::vector<std::string>>& columns, int num_threads,
    const Cancelled& cancelled, Notices* notices, const PartitionRule& rule) {
  return CatchParquet([&]() -> Result<std::shared_ptr<const Catalog>> {
    ROWFEED_ASSIGN_OR_RETURN(std::vector<ListedFile> listed,
                             ListFiles(paths, cancelled, notices, rule));
    return OpenCatalog(std::move(listed), columns, num_threads, cancelled, notices);
  });
}

Result<std::shared_ptr<const Catalog>> Catalog::Reopen(
    const std::vector<CatalogFile>& files,
    const std::optional<std::vector<std::string>>& columns, int num_threads) {
  if (files.empty()) return Status::Invalid("there are no files to open");
  std::vector<ListedFile> listed;
  listed.reserve(files.size());
  for (const CatalogFile& file : files) {
    listed.push_back({file.path, file.name, file.partitions});
  }
  return CatchParquet([&] {
    return OpenCatalog(std::move(listed), columns, num_threads, nullptr, nullptr);
  });
}

}  // namespace rowfeed
