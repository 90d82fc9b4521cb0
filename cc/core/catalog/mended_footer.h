// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_MENDED_FOOTER_H_
#define ROWFEED_CORE_CATALOG_MENDED_FOOTER_H_

#include <optional>
#include <string>
#include <string_view>

#include "core/catalog/schema/refused_leaves.h"

namespace rowfeed {

// The bytes of a footer in which each element of the schema has a type that Arrow
// accepts.
struct MendedFooter {
  std::string bytes;
  RefusedTypes refused;  // the columns whose type is another one now; never empty
};

// Mends a footer that Arrow cannot parse because of the types of single columns, such
// as a decimal without digits. Arrow refuses the whole footer then, and says of which
// type, but not of which column. Each element of the schema that Arrow refuses alone
// loses its annotation, or, if that does not suffice, becomes a column of bytes.
// Returns nullopt if there are no such elements.
std::optional<MendedFooter> MendFooter(std::string_view footer);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_MENDED_FOOTER_H_
