// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_SETTLED_H_
#define ROWFEED_CORE_STREAM_OPTIONS_SETTLED_H_

#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/status.h"
#include "core/stream/options/column_spec.h"

namespace rowfeed {

// Files of one data set may differ in the type of a column. A spec settles such a
// difference if an option of it asks for a tensor that can be made from all the files:
//
//  * `fill` or a mask where a file lacks the column or has nulls without a type;
//  * `dtype` where files have other numbers, or strings beside binaries;
//  * `unit` where times are of one kind (timestamps with a time zone, those without
//    one, times of day, durations) but in other units;
//  * `shape` where some files remember that lists have a fixed size and others do not.
//
// An encoding or padding also settles that some files have strings and others binaries.

// Returns kInvalid if a spec does not settle a difference. The message has each such
// column, its types, their files and the option to give.
ROWFEED_EXPORT Status CheckSettled(const std::vector<ColumnSpec>& columns,
                                   const Catalog& catalog);

// Returns kInvalid if some files lack a column of the filter, and no spec settles
// that. The filter sees null in these files. `filter_options` has the option that asks
// for each of `filter_columns`, as RowFilter::options does.
Status CheckFilterSettled(const std::vector<int>& filter_columns,
                          const std::vector<const char*>& filter_options,
                          const std::vector<ColumnSpec>& columns,
                          const Catalog& catalog);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_SETTLED_H_
