// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_H_
#define ROWFEED_CORE_CATALOG_LISTING_H_

#include <string>
#include <vector>

#include "core/catalog/notices.h"
#include "core/catalog/partition_rule.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

struct ListedFile {
  std::string path;  // to open
  std::string name;  // relative to its root
  // The directories that are columns: see PartitionsIn.
  std::string partitions = {};
};

// The files that `paths` stand for: roots in the given order, the files of one root
// in bytewise order of their names. Each path is one of
//
//  * a file, taken whatever it is called; its root is the directory it lies in;
//  * a directory: all files below it whose names end in .parquet, .parq or .pq, in
//    either case;
//  * if nothing has that very name, a glob (see glob.h), matched name by name, where
//    `**` stands for any number of directories. Files that match are taken,
//    directories that match are listed as above. Its root is what comes before the
//    first name with a special character.
//
// Directories and globs skip, with all that is below them, names that start with `_`
// or `.` (_SUCCESS, _metadata, .crc files; but `_key=value` is a partition) and names
// that end in .tmp, .crc, .inprogress or ._COPYING_. A glob that itself starts or ends
// that way does match them. They also skip NAME where `.NAME.retired` lies beside it:
// a file that a writer is about to remove, as soon as nobody reads it any more.
//
// The folder of a table (see table_format.h) is refused, whether it is a root, below or
// above one, or on the way of a glob; its files may be given one by one.
//
// Names are bytes. Symbolic links are followed, but for one to a directory above
// itself. What goes while it is listed is left out, unless it is a root. A file that
// two roots reach is two files. A URI is listed by the same rules in its file system
// (see uri.h: its query has options, so a glob has no `?`); the paths of its files are
// URIs with these options, but without credentials. Errors name all paths that are
// wrong: nothing there, a directory or glob without files (kNotFound), no permission,
// no regular file (kInvalid), a file that is not below the base of `rule` (kInvalid),
// an unknown scheme or a table (kUnsupported).
//
// `notices`, unless it is nullptr, gains what is no error: files in directories that
// were left out although their names are nearly those of Parquet, and files that are
// listed twice.
Result<std::vector<ListedFile>> ListFiles(const std::vector<std::string>& paths,
                                          const Cancelled& cancelled = {},
                                          Notices* notices = nullptr,
                                          const PartitionRule& rule = {});

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_H_
