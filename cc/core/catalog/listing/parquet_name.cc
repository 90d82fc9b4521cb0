// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/parquet_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace rowfeed {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {".parquet", ".parq", ".pq"};

// Endings of files that lie beside a data file and describe it.
constexpr std::array<std::string_view, 20> kBeside = {
    ".asc",  ".crc", ".csv", ".html", ".idx",  ".index",   ".json",
    ".lock", ".log", ".md",  ".md5",  ".sha1", ".sha256",  ".sha512",
    ".sig",  ".txt", ".xml", ".yaml", ".yml",  ".metadata"};

std::string Lower(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

template <size_t size>
bool EndsWithOneOf(std::string_view name,
                   const std::array<std::string_view, size>& endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

// Whether `ending` stands within the name, not at its end, and no letter follows it as
// in ".parquets".
bool HasWithin(std::string_view name, std::string_view ending) {
  for (size_t at = name.find(ending); at != std::string_view::npos;
       at = name.find(ending, at + 1)) {
    const size_t next = at + ending.size();
    const bool is_whole =
        next < name.size() && std::isalpha(static_cast<unsigned char>(name[next])) == 0;
    if (at > 0 && is_whole) return true;
  }
  return false;
}

}  // namespace

bool IsParquetName(std::string_view name) {
  return EndsWithOneOf(Lower(name), kEndings);
}

bool IsNearlyParquetName(std::string_view name) {
  const std::string lower = Lower(name);
  if (lower.empty() || lower[0] == '_' || lower[0] == '.') return false;
  if (lower.find('.') == std::string::npos) {
    return lower.find_first_of("0123456789") != std::string::npos;
  }
  if (EndsWithOneOf(lower, kEndings) || EndsWithOneOf(lower, kBeside)) return false;
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return HasWithin(lower, ending); });
}

}  // namespace rowfeed
