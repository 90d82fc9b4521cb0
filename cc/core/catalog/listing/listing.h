// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_LISTING_H_
#define ROWFEED_CORE_CATALOG_LISTING_LISTING_H_

#include <string>
#include <vector>

#include "core/catalog/listing/listed_file.h"
#include "core/catalog/listing/notices.h"
#include "core/catalog/listing/partition_rule.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// Returns the files that `paths` stand for: the roots in the given order, the files of
// one root in bytewise order of their names. Each path is one of
//
//  * a file, taken whatever its name is. Its root is the directory that it lies in.
//  * a directory: all files below it whose names end in .parquet, .parq or .pq, in
//    upper or lower case.
//  * a glob (glob.h), if nothing has exactly this name. It is matched name by name, and
//    `**` stands for any number of directories. Files that match are taken; directories
//    that match are listed as above. Its root is what stands before the first name with
//    a special character.
//
// Directories and globs skip some names, with all that is below them: names that begin
// with `_` or `.` (_SUCCESS, _metadata, .crc files; but `_key=value` is a partition)
// and names that end in .tmp, .crc, .inprogress or ._COPYING_. A glob that itself
// begins or ends in this way does match them. They also skip NAME if `.NAME.retired`
// lies beside it: the writer is about to remove such a file, as soon as nobody reads it
// any more.
//
// The folder of a table (table_format.h) is refused, whether it is a root, lies below
// or above a root, or on the way of a glob. Its files may be given one by one.
//
// Names are bytes. Symbolic links are followed, except a link to a directory above
// itself. A file that disappears while it is listed is left out, unless it is a root. A
// file that is reached from two roots is two files. A URI is listed by the same rules
// in its file system (a `?` begins its options, see uri.h, so its glob has none). The
// paths of its files are URIs with the same options, but without credentials.
//
// The error names all paths that are wrong: nothing is there, a directory or glob has
// no files (kNotFound), permission is missing, a path is no regular file (kInvalid), a
// file is not below the base of `rule` (kInvalid), the scheme is unknown or there is a
// table (kUnsupported).
//
// What is no error is added to `notices`, unless it is nullptr: files in directories
// that were left out although their names are nearly those of Parquet files, and files
// that are listed twice.
Result<std::vector<ListedFile>> ListFiles(const std::vector<std::string>& paths,
                                          const Cancelled& cancelled = {},
                                          Notices* notices = nullptr,
                                          const PartitionRule& rule = {});

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_LISTING_H_
