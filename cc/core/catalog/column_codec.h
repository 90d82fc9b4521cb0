// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_COLUMN_CODEC_H_
#define ROWFEED_CORE_CATALOG_COLUMN_CODEC_H_

#include <cstddef>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/catalog/schema/file_layout.h"
#include "core/wire.h"

namespace rowfeed {

// The bytes of columns, of how files store them, and of how files differ in them,
// within the bytes of a catalog. A reader fails where the bytes make no sense.

// The fewest bytes that one of them takes, by which a reader bounds how many there are.
inline constexpr size_t kMinStorageBytes = 10;
inline constexpr size_t kMinColumnBytes = 7 * 8 + 6 + kMinStorageBytes;

void WriteStorage(const ColumnStorage& storage, WireWriter* out);
ColumnStorage ReadStorage(WireReader* in);

void WriteColumn(const Column& column, WireWriter* out);
Column ReadColumn(WireReader* in);

void WriteDifferences(const FileLayout& layout, WireWriter* out);
// `num_columns`: the number of columns of the catalog.
std::vector<Difference> ReadDifferences(size_t num_columns, WireReader* in);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_COLUMN_CODEC_H_
