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
#include "core/catalog/notices.h"
#include "core/status.h"

namespace rowfeed {

struct Reference;

// Catalogs of a data set whose files come and go. Their columns are those of the first.
// One thread uses it at a time.
class Growth {
 public:
  // As of Catalog::Open; `columns` are for a first listing, of which nothing is known.
  Growth(std::vector<std::string> paths,
         std::optional<std::vector<std::string>> columns, int num_threads,
         PartitionRule rule = {});
  ~Growth();
  Growth(Growth&&) noexcept;
  Growth& operator=(Growth&&) = delete;

  // What is there now: `known` itself if nothing has changed since. Files of `known`
  // whose version is the same are not opened again. Passed over are files that
  // are not complete, as they do not end like Parquet, and those that go away
  // meanwhile. Columns stay what `known` has; where a file has one otherwise or lacks
  // it, that is a Difference. kInvalid: a value of a directory does not fit the type
  // that `known` has of its partition column. `notices` as of ListFiles: a first
  // listing is worth them, not each that follows.
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
