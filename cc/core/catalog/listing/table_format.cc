// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/table_format.h"

#include <algorithm>
#include <string_view>

namespace rowfeed {
namespace {

bool IsDirectory(const DirectoryEntry& entry) {
  return entry.error == 0 && S_ISDIR(entry.info.st_mode);
}

bool HasDirectory(const DirectoryEntries& entries, std::string_view name) {
  return std::any_of(entries.begin(), entries.end(), [&](const DirectoryEntry& e) {
    return e.name == name && IsDirectory(e);
  });
}

// Whether there is a directory `name` among the entries, with an entry for which
// `matches` is true.
bool HasWithin(const DirectoryEntries& entries, const std::string& name,
               const ListChild& list_child, bool (*matches)(std::string_view)) {
  if (!HasDirectory(entries, name)) return false;
  const DirectoryEntries within = list_child(name);
  return std::any_of(within.begin(), within.end(),
                     [&](const DirectoryEntry& e) { return matches(e.name); });
}

// Whether a file name is "v3.metadata.json", "00001-….metadata.json", or one of these
// compressed.
bool IsIcebergMetadata(std::string_view name) {
  return name.ends_with(".metadata.json") || name.ends_with(".metadata.json.gz") ||
         name.ends_with(".gz.metadata.json");
}

bool IsPaimonSchema(std::string_view name) { return name.starts_with("schema-"); }

}  // namespace

TableFormat TableFormatOf(const DirectoryEntries& entries,
                          const ListChild& list_child) {
  if (HasDirectory(entries, "_delta_log")) return TableFormat::kDelta;
  const bool is_in_hudi =  // each partition of a Hudi table has such a file
      std::any_of(entries.begin(), entries.end(), [](const DirectoryEntry& e) {
        return e.name.starts_with(".hoodie_partition_metadata");
      });
  if (is_in_hudi || HasDirectory(entries, ".hoodie")) return TableFormat::kHudi;
  if (HasWithin(entries, "metadata", list_child, IsIcebergMetadata)) {
    return TableFormat::kIceberg;
  }
  if (HasDirectory(entries, "snapshot") &&
      HasWithin(entries, "schema", list_child, IsPaimonSchema)) {
    return TableFormat::kPaimon;
  }
  return TableFormat::kNone;
}

Status TableRefusal(TableFormat format, const std::string& path) {
  const char* name = "";
  const char* files = "";
  switch (format) {
    case TableFormat::kNone:
      return {};
    case TableFormat::kDelta:
      name = "Delta";
      files = "deltalake.DeltaTable(...).file_uris()";
      break;
    case TableFormat::kIceberg:
      name = "Iceberg";
      files =
          "pyiceberg's [task.file.file_path for task in table.scan().plan_files()], "
          "if no task has delete_files";
      break;
    case TableFormat::kHudi:
      name = "Hudi";
      files = "Spark's spark.read.format(\"hudi\").load(...).inputFiles()";
      break;
    case TableFormat::kPaimon:
      name = "Paimon";
      files = "those of its reader's plan, after a full compaction";
      break;
  }
  return Status::Unsupported(
      path, ": the folder belongs to a table of ", name,
      ", and its files also hold rows that were deleted or replaced; give the list of ",
      "the table's own files instead: ", files);
}

}  // namespace rowfeed
