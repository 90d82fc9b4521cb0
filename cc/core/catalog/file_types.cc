// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/file_types.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/io/uri.h"

namespace rowfeed {
namespace {

constexpr size_t kMostFiles = 3;

// The files in which a column has the same type.
struct TypeInFiles {
  std::string type;
  size_t num_files = 0;
  std::vector<size_t> first;  // the first few of these files

  std::string ToString(const Catalog& catalog) const {
    std::string text = type + " in ";
    for (size_t i = 0; i < first.size(); ++i) {
      text += (i == 0 ? "" : ", ") + ShownPath(catalog.files()[first[i]].path);
    }
    if (num_files == first.size()) return text;
    return text + " and " + std::to_string(num_files - first.size()) + " more";
  }
};

std::string TypeIn(const Catalog& catalog, size_t file, int column) {
  const Difference* difference = catalog.layout(file).Find(column);
  if (difference == nullptr) return catalog.columns()[column].logical_type;
  switch (difference->kind) {
    case Difference::Kind::kMissing:
      return "missing";
    case Difference::Kind::kNulls:
      return "null";
    case Difference::Kind::kOther:
      break;
  }
  return difference->as_stored.logical_type;
}

}  // namespace

std::string TypesInFiles(const Catalog& catalog, int column) {
  std::vector<TypeInFiles> types;
  bool is_anywhere = false;
  for (size_t file = 0; file < catalog.files().size(); ++file) {
    const std::string type = TypeIn(catalog, file, column);
    auto found = std::find_if(types.begin(), types.end(),
                              [&](const TypeInFiles& t) { return t.type == type; });
    if (found == types.end()) found = types.insert(types.end(), {type, 0, {}});
    is_anywhere |= catalog.layout(file).Find(column) == nullptr;
    if (++found->num_files <= kMostFiles) found->first.push_back(file);
  }
  std::stable_sort(types.begin(), types.end(),
                   [](const TypeInFiles& a, const TypeInFiles& b) {
                     return a.num_files > b.num_files;
                   });
  std::string text = "'" + catalog.columns()[column].name + "' is ";
  for (size_t i = 0; i < types.size(); ++i) {
    text += (i == 0 ? "" : ", ") + types[i].ToString(catalog);
  }
  if (is_anywhere) return text;
  return text + ", " + catalog.columns()[column].logical_type + " in the files before";
}

bool HasDifference(const Catalog& catalog, int column) {
  return std::any_of(
      catalog.layouts().begin(), catalog.layouts().end(),
      [&](const FileLayout& layout) { return layout.Find(column) != nullptr; });
}

}  // namespace rowfeed
