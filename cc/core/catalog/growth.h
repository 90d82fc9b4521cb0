// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_GROWTH_H_
#define ROWFEED_CORE_CATALOG_GROWTH_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/listing/notices.h"
#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

struct Reference;

// Makes catalogs of a data set whose files come and go. All of them have the columns of
// the first catalog. Not thread-safe.
class ROWFEED_EXPORT Growth {
 public:
  // The arguments are those of Catalog::Open. `columns` are used only by a first
  // listing, when no catalog is known.
  Growth(std::vector<std::string> paths,
         std::optional<std::vector<std::string>> columns, int num_threads,
         PartitionRule rule = {});
  ~Growth();
  Growth(Growth&&) noexcept;
  Growth& operator=(Growth&&) = delete;

  // Lists the files that are there now, and returns their catalog; `known` itself if
  // nothing has changed since. Files of `known` whose version is the same are not
  // opened again. Files that are not complete (they do not end like Parquet) and files
  // that disappear meanwhile are left out. The columns stay those of `known`; a file
  // that lacks a column, or has it with another type, gets a Difference. kInvalid: a
  // directory's value does not fit the type that its partition column has in `known`.
  // `notices` is as in ListFiles; pass it for the first listing, not for each one.
  Result<std::shared_ptr<const Catalog>> List(
      std::shared_ptr<const Catalog> known,
      const std::function<bool()>& cancelled = nullptr, Notices* notices = nullptr);

 private:
  const std::vector<std::string> paths_;
  const std::optional<std::vector<std::string>> columns_;
  const int num_threads_;
  const PartitionRule rule_;
  std::unique_ptr<const Reference> reference_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_GROWTH_H_
