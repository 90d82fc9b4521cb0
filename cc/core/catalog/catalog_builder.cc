// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/catalog_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"

namespace rowfeed {
namespace {

void AppendInt(uint64_t value, std::string* out) {
  for (int shift = 0; shift < 64; shift += 8)
    out->push_back(static_cast<char>(value >> shift));
}

// Computes Catalog::fingerprint(). All parts have their lengths in front, so that no
// two lists of files give the same text.
std::string Fingerprint(const std::vector<CatalogFile>& files,
                        const std::vector<RowGroup>& row_groups, bool is_selection) {
  constexpr uint64_t kNoSize = ~uint64_t{0};  // No name has this size.
  std::string text;
  size_t group = 0;
  for (size_t f = 0; f < files.size(); ++f) {
    AppendInt(files[f].name.size(), &text);
    text += files[f].name;
    AppendInt(files[f].size, &text);
    AppendInt(files[f].footer_digest, &text);
    const size_t first_group = group;
    while (group < row_groups.size() &&
           row_groups[group].file == static_cast<int32_t>(f)) {
      AppendInt(row_groups[group++].rows, &text);
    }
    AppendInt(group - first_group, &text);
  }
  if (is_selection) {
    AppendInt(kNoSize, &text);
    for (const RowGroup& selected : row_groups) AppendInt(selected.index, &text);
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits;
}

}  // namespace

CatalogBuilder::CatalogBuilder(std::vector<Column> columns)
    : catalog_(new Catalog), group_rows_(std::make_shared<std::vector<int64_t>>()) {
  catalog_->columns_ = std::move(columns);
  catalog_->IndexNames();
}

int32_t CatalogBuilder::FindOrAddLayout(const FileLayout& layout) {
  std::vector<FileLayout>& layouts = catalog_->layouts_;
  const auto found = std::find(layouts.begin(), layouts.end(), layout);
  const auto index = static_cast<int32_t>(found - layouts.begin());
  if (found == layouts.end()) layouts.push_back(layout);
  return index;
}

void CatalogBuilder::AddFile(CatalogFile file, const FileLayout& layout,
                             const std::vector<int64_t>& group_rows,
                             const std::vector<ColumnChunk>& chunks,
                             const std::vector<int32_t>* indices) {
  if (indices != nullptr) catalog_->is_selection_ = true;
  const auto file_index = static_cast<int32_t>(catalog_->files_.size());
  catalog_->files_.push_back(std::move(file));
  catalog_->file_layouts_.push_back(FindOrAddLayout(layout));
  for (size_t g = 0; g < group_rows.size(); ++g) {
    const int32_t index = indices ? (*indices)[g] : static_cast<int32_t>(g);
    catalog_->row_groups_.push_back({file_index, index, group_rows[g]});
    catalog_->num_rows_ += group_rows[g];
  }
  group_rows_->insert(group_rows_->end(), group_rows.begin(), group_rows.end());
  catalog_->chunks_.insert(catalog_->chunks_.end(), chunks.begin(), chunks.end());
}

void CatalogBuilder::Refuse(size_t column, std::string reason) {
  Column& refused = catalog_->columns_[column];
  if (!refused.unsupported.empty()) return;
  refused.unsupported = std::move(reason);
  // Clears what has no meaning any more. The name must stay where it is, as views in
  // by_name_ point to it.
  const Column blank;
  refused.dtype = blank.dtype;
  refused.ragged_rank = blank.ragged_rank;
  refused.dense_shape = blank.dense_shape;
  refused.list_sizes = blank.list_sizes;
  refused.unit = blank.unit;
  refused.storage = blank.storage;
}

std::shared_ptr<const Catalog> CatalogBuilder::Finish() && {
  const size_t num_columns = catalog_->columns_.size();
  for (size_t c = 0; c < num_columns; ++c) {
    if (catalog_->columns_[c].unsupported.empty()) continue;
    for (size_t i = c; i < catalog_->chunks_.size(); i += num_columns) {
      catalog_->chunks_[i] = {};
    }
  }
  // Nobody reads a refused column, so its differences do not matter.
  for (FileLayout& layout : catalog_->layouts_) {
    std::erase_if(layout.differences, [&](const Difference& difference) {
      return !catalog_->columns_[difference.column].unsupported.empty();
    });
  }
  catalog_->files_.shrink_to_fit();
  catalog_->row_groups_.shrink_to_fit();
  catalog_->chunks_.shrink_to_fit();
  group_rows_->shrink_to_fit();
  catalog_->group_rows_ = std::move(group_rows_);
  catalog_->fingerprint_ =
      Fingerprint(catalog_->files_, catalog_->row_groups_, catalog_->is_selection_);
  return std::move(catalog_);
}

}  // namespace rowfeed
