// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_PARSING_H_
#define ROWFEED_PYTHON_PARSING_H_

#include <string>
#include <utility>

#include "core/catalog/column.h"
#include "core/catalog/partition_rule.h"

namespace rowfeed {

// Returns the dtype of this name. Throws a ValueError if there is none.
DType ParseDType(const std::string& name);

// A PartitionRule in Python: a name for PartitionRule::From, and the base directory.
using RuleTuple = std::pair<std::string, std::string>;

// Returns the rule. Throws a ValueError if its first name is unknown.
PartitionRule ParseRule(const RuleTuple& rule);

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_PARSING_H_
