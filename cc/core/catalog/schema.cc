// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "arrow/type.h"
#include "arrow/util/key_value_metadata.h"
#include "core/arrow_status.h"
#include "core/catalog/element_type.h"
#include "parquet/arrow/schema.h"
#include "parquet/properties.h"
#include "parquet/schema.h"

namespace rowfeed {
namespace {

std::string Refusal(const std::string& plural) { return plural + " are not supported"; }

ColumnStorage StorageOf(const parquet::ColumnDescriptor& stored,
                        const parquet::internal::LevelInfo& levels) {
  ColumnStorage storage;
  storage.physical = static_cast<ColumnStorage::Physical>(stored.physical_type());
  if (storage.physical == ColumnStorage::kFixedLenByteArray) {
    storage.type_length = stored.type_length();
  }
  storage.max_definition_level = stored.max_definition_level();
  storage.max_repetition_level = stored.max_repetition_level();
  storage.slot_definition_level = levels.repeated_ancestor_def_level;
  return storage;
}

// Builds the SchemaColumn of one top-level field; each step sets `unsupported` where it
// must.
class ColumnConverter {
 public:
  ColumnConverter(const parquet::arrow::SchemaField& field,
                  const parquet::SchemaDescriptor& schema)
      : field_(field), schema_(schema) {
    result_.column.name = field.field->name();
    result_.column.logical_type = field.field->type()->ToString();
  }

  SchemaColumn Convert() && {
    const std::shared_ptr<arrow::DataType> type = ValueType(field_.field->type());
    switch (type->id()) {
      case arrow::Type::LIST:
      case arrow::Type::LARGE_LIST:
      case arrow::Type::FIXED_SIZE_LIST:
        SetList(*type);
        break;
      case arrow::Type::FIXED_SIZE_BINARY:
        SetFixedBinary(
            static_cast<const arrow::FixedSizeBinaryType&>(*type).byte_width());
        break;
      default:
        SetScalar(*type);
    }
    return std::move(result_);
  }

 private:
  void Refuse(std::string reason) { result_.column.unsupported = std::move(reason); }

  void SetScalar(const arrow::DataType& type) {
    const std::optional<Element> element = ElementOf(type);
    if (!field_.is_leaf() || !element) return Refuse(Refusal(PluralOf(type)));
    SetElement(*element, field_);
  }

  void SetFixedBinary(int32_t width) {
    result_.column.shape = RowShape::kDense;
    result_.column.list_size = width;
    SetElement({DType::kUInt8, "", "fixed_size_binary"}, field_);
  }

  void SetList(const arrow::DataType& type) {
    const bool fixed = type.id() == arrow::Type::FIXED_SIZE_LIST;
    result_.column.shape = fixed ? RowShape::kDense : RowShape::kRagged;
    result_.column.list_size =
        fixed ? static_cast<const arrow::FixedSizeListType&>(type).list_size() : 0;
    if (fixed && result_.column.list_size <= 0)
      return Refuse("lists of no elements are not supported");
    const parquet::arrow::SchemaField& child = field_.children.at(0);
    const std::shared_ptr<arrow::DataType> child_type = ValueType(child.field->type());
    const std::optional<Element> element = ElementOf(*child_type);
    if (!child.is_leaf() || !element || element->dtype == DType::kString ||
        element->dtype == DType::kBinary) {
      return Refuse(Refusal("lists of " + PluralOf(*child_type)));
    }
    SetElement(*element, child);
  }

  // `leaf` holds the values.
  void SetElement(const Element& element, const parquet::arrow::SchemaField& leaf) {
    const parquet::ColumnDescriptor* stored = schema_.Column(leaf.column_index);
    if (stored->physical_type() == parquet::Type::INT96) {
      return Refuse(Refusal("INT96 timestamps"));
    }
    if (stored->logical_type() != nullptr && stored->logical_type()->is_interval()) {
      return Refuse(Refusal("intervals"));
    }
    Column& column = result_.column;
    column.dtype = element.dtype;
    column.unit = element.unit;
    column.storage = StorageOf(*stored, leaf.level_info);
    // A decoder takes the file's bytes for the values: they must be what the type says.
    if (!IsConsistent(column, column.storage)) {
      return Refuse(
          "values of this type stored as " +
          parquet::TypeToString(stored->physical_type(), stored->type_length()) +
          " are not supported");
    }
    result_.leaf = leaf.column_index;
    result_.kind = KindOf(element.kind);
  }

  std::string KindOf(const std::string& element) const {
    const Column& column = result_.column;
    switch (column.shape) {
      case RowShape::kScalar:
        return element;
      case RowShape::kDense:
        return element + "[" + std::to_string(column.list_size) + "]";
      case RowShape::kRagged:
        return "list<" + element + ">";
    }
    return element;
  }

  const parquet::arrow::SchemaField& field_;
  const parquet::SchemaDescriptor& schema_;
  SchemaColumn result_;
};

void RefuseDuplicates(std::vector<SchemaColumn>* columns) {
  std::unordered_map<std::string, int> counts;
  for (const SchemaColumn& column : *columns) ++counts[column.column.name];
  for (SchemaColumn& column : *columns) {
    const int count = counts[column.column.name];
    if (count == 1) continue;
    column.column.unsupported = std::to_string(count) + " columns have this name";
    column.leaf = -1;
  }
}

std::string ArrowSchemaOf(const parquet::FileMetaData& metadata) {
  const auto& pairs = metadata.key_value_metadata();
  const int index = pairs == nullptr ? -1 : pairs->FindKey("ARROW:schema");
  return index < 0 ? std::string() : pairs->value(index);
}

}  // namespace

Result<std::vector<SchemaColumn>> ReadSchema(const parquet::FileMetaData& metadata) {
  return CatchParquet([&]() -> Result<std::vector<SchemaColumn>> {
    parquet::arrow::SchemaManifest manifest;
    ROWFEED_ARROW_RETURN_NOT_OK(parquet::arrow::SchemaManifest::Make(
        metadata.schema(), metadata.key_value_metadata(),
        parquet::default_arrow_reader_properties(), &manifest));
    std::vector<SchemaColumn> columns;
    columns.reserve(manifest.schema_fields.size());
    for (const parquet::arrow::SchemaField& field : manifest.schema_fields) {
      columns.push_back(ColumnConverter(field, *metadata.schema()).Convert());
    }
    RefuseDuplicates(&columns);
    return columns;
  });
}

bool SameSchema(const parquet::FileMetaData& a, const parquet::FileMetaData& b) {
  return a.schema()->schema_root()->Equals(b.schema()->schema_root().get()) &&
         ArrowSchemaOf(a) == ArrowSchemaOf(b);
}

}  // namespace rowfeed
