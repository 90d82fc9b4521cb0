// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_SETTLED_H_
#define ROWFEED_CORE_STREAM_OPTIONS_SETTLED_H_

#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/status.h"
#include "core/stream/options/feature.h"

namespace rowfeed {

// Files of one data set may differ in a column. A feature settles that if what it asks
// for makes the same tensor of all of them, and says so by an option:
//
//  * `fill` or a mask where a file lacks the column or has nulls without a type;
//  * `dtype` where files have other numbers, or strings beside binaries;
//  * `unit` where times are of one kind (timestamps with a time zone, those without
//    one, times of day, durations) but in other units;
//  * `shape` where some files remember that lists have a fixed size and others do not.
//
// An encoding or padding of strings and binaries settles these, too.

// kInvalid: a difference that the feature does not settle. The message has each column,
// its types, their files and what to give.
Status CheckSettled(const std::vector<Feature>& features, const Catalog& catalog);

// kInvalid: a column of the filter is not in all files, and no feature settles that. A
// filter sees null there.
Status CheckFilterSettled(const std::vector<int>& filter_columns,
                          const std::vector<Feature>& features, const Catalog& catalog);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_SETTLED_H_
