// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/bloom.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "arrow/array.h"
#include "arrow/buffer.h"
#include "arrow/compute/api_scalar.h"
#include "arrow/datum.h"
#include "arrow/scalar.h"
#include "arrow/type.h"
#include "parquet/xxhasher.h"

namespace rowfeed {
namespace {

using arrow::Scalar;
using arrow::Type;
using arrow::compute::Expression;

// Returns the hash of a value in the form that the file stores. nullopt: equal values
// may be stored in different forms.
std::optional<uint64_t> HashOf(const Scalar& value) {
  if (!value.is_valid) return std::nullopt;
  const parquet::XxHasher hasher;
  const auto narrow = [&](auto number) {
    return hasher.Hash(static_cast<int32_t>(number));
  };
  switch (value.type->id()) {
    case Type::INT8:
      return narrow(static_cast<const arrow::Int8Scalar&>(value).value);
    case Type::INT16:
      return narrow(static_cast<const arrow::Int16Scalar&>(value).value);
    case Type::INT32:
      return narrow(static_cast<const arrow::Int32Scalar&>(value).value);
    case Type::UINT8:
      return narrow(static_cast<const arrow::UInt8Scalar&>(value).value);
    case Type::UINT16:
      return narrow(static_cast<const arrow::UInt16Scalar&>(value).value);
    case Type::UINT32:
      return narrow(static_cast<const arrow::UInt32Scalar&>(value).value);
    case Type::DATE32:
      return narrow(static_cast<const arrow::Date32Scalar&>(value).value);
    case Type::INT64:
      return hasher.Hash(static_cast<const arrow::Int64Scalar&>(value).value);
    case Type::UINT64:
      return hasher.Hash(
          static_cast<int64_t>(static_cast<const arrow::UInt64Scalar&>(value).value));
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::BINARY:
    case Type::LARGE_BINARY:
      return hasher.Hash(static_cast<const arrow::BaseBinaryScalar&>(value).view());
    default:
      return std::nullopt;
  }
}

const std::string* NameOf(const Expression& expression) {
  const arrow::FieldRef* field = expression.field_ref();
  return field == nullptr ? nullptr : field->name();
}

bool MayBeEqual(const Expression::Call& call, const BloomFinder& find) {
  for (const size_t side : {0, 1}) {
    const std::string* name = NameOf(call.arguments[side]);
    const arrow::Datum* value = call.arguments[1 - side].literal();
    if (name == nullptr || value == nullptr || !value->is_scalar()) continue;
    // The types are equal: Arrow would have put a cast around a field of another type,
    // and the argument would be no field.
    return MayHold(find(*name), *value->scalar());
  }
  return true;
}

bool MayBeIn(const Expression::Call& call, const BloomFinder& find) {
  const std::string* name = NameOf(call.arguments[0]);
  const auto* options =
      dynamic_cast<const arrow::compute::SetLookupOptions*>(call.options.get());
  if (name == nullptr || options == nullptr || !options->value_set.is_arraylike()) {
    return true;
  }
  const SplitBlockBloom* bloom = find(*name);
  if (bloom == nullptr || options->value_set.null_count() > 0) return true;
  const arrow::DataType& type = *call.arguments[0].type();
  const arrow::DataType& set_type = *options->value_set.type();
  const bool same =
      type.Equals(set_type) || (arrow::is_base_binary_like(type.id()) &&
                                arrow::is_base_binary_like(set_type.id()));
  if (!same) return true;
  for (const auto& chunk : options->value_set.chunks()) {
    for (int64_t i = 0; i < chunk->length(); ++i) {
      const auto value = chunk->GetScalar(i);
      if (!value.ok() || MayHold(bloom, **value)) return true;
    }
  }
  return false;
}

}  // namespace

bool MayHold(const SplitBlockBloom* bloom, const Scalar& value) {
  const std::optional<uint64_t> hash = HashOf(value);
  if (bloom == nullptr || !hash) return true;
  const Result<bool> may_hold = bloom->MayHold(*hash);
  return !may_hold.ok() || *may_hold;
}

bool MayBeTrue(const Expression& expression, const BloomFinder& find) {
  const Expression::Call* call = expression.call();
  if (call == nullptr) return true;
  const auto may = [&](const Expression& argument) {
    return MayBeTrue(argument, find);
  };
  const auto& arguments = call->arguments;
  if (call->function_name == "and_kleene" || call->function_name == "and") {
    return std::all_of(arguments.begin(), arguments.end(), may);
  }
  if (call->function_name == "or_kleene" || call->function_name == "or") {
    return std::any_of(arguments.begin(), arguments.end(), may);
  }
  if (call->function_name == "equal") return MayBeEqual(*call, find);
  if (call->function_name == "is_in") return MayBeIn(*call, find);
  return true;
}

}  // namespace rowfeed
