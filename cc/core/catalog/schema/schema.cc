// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/schema.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "arrow/extension/fixed_shape_tensor.h"
#include "arrow/type.h"
#include "arrow/util/key_value_metadata.h"
#include "arrow/util/utf8.h"
#include "core/arrow_status.h"
#include "core/catalog/schema/element_type.h"
#include "core/catalog/schema/pandas_index.h"
#include "core/catalog/schema/schema_by_field.h"
#include "parquet/arrow/schema.h"
#include "parquet/properties.h"
#include "parquet/schema.h"

namespace rowfeed {
namespace {

std::string Refusal(const std::string& plural) { return plural + " are not supported"; }

// Returns the type name of `depth` levels of lists around `type`.
std::string ListOf(const std::string& type, size_t depth) {
  std::string name;
  for (size_t i = 0; i < depth; ++i) name += "list<";
  name += type;
  return name.append(depth, '>');
}

using Field = parquet::arrow::SchemaField;

bool IsList(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::MAP:
      return true;
    default:
      return false;
  }
}

// Describes one level of lists on the way to a leaf.
struct ListLevel {
  int64_t size = 0;            // fixed number of elements of a list; 0: any
  std::vector<int64_t> shape;  // shape of a list's elements, if the size is fixed
  int16_t slot_definition_level = 0;
};

// Describes a level of lists. `type` is its Arrow type; `list` is the same without
// extension and dictionary types.
ListLevel MakeListLevel(const arrow::DataType& type, const arrow::DataType& list,
                        int16_t slot_definition_level) {
  ListLevel level;
  level.slot_definition_level = slot_definition_level;
  if (list.id() != arrow::Type::FIXED_SIZE_LIST) return level;
  level.size = static_cast<const arrow::FixedSizeListType&>(list).list_size();
  const auto* tensor =
      dynamic_cast<const arrow::extension::FixedShapeTensorType*>(&type);
  level.shape = tensor != nullptr ? tensor->shape() : std::vector{level.size};
  return level;
}

// Walks down a top-level field of a schema, and makes a column of each leaf.
class LeafCollector {
 public:
  LeafCollector(const parquet::SchemaDescriptor& schema,
                std::vector<SchemaColumn>* columns)
      : schema_(schema), columns_(columns) {}

  // Adds the leaves of a field that has a name: a field of the schema or of a struct.
  void Collect(const Field& field, const std::string& name) {
    path_.push_back(name);
    const std::string type_outside = std::move(type_);
    type_ = field.field->type()->ToString();
    type_ = ListOf(type_, lists_.size());
    Descend(field);
    type_ = type_outside;
    path_.pop_back();
  }

 private:
  void Descend(const Field& field) {
    const std::shared_ptr<arrow::DataType> type = ValueType(field.field->type());
    if (type->id() == arrow::Type::STRUCT) {
      for (const Field& child : field.children) Collect(child, child.field->name());
    } else if (IsList(*type)) {
      DescendList(field, *type);
    } else {
      AddLeaf(field, *type);
    }
  }

  void DescendList(const Field& field, const arrow::DataType& type) {
    lists_.push_back(
        MakeListLevel(*field.field->type(), type, field.level_info.def_level));
    if (lists_.size() == 1) list_depth_ = path_.size();
    const Field& child = field.children.at(0);
    if (type.id() == arrow::Type::MAP) {
      // The two fields of a map get these names, whatever the file calls them.
      Collect(child.children.at(0), "key");
      Collect(child.children.at(1), "value");
    } else {
      Descend(child);
    }
    lists_.pop_back();
  }

  void AddLeaf(const Field& field, const arrow::DataType& type) {
    SchemaColumn& added = columns_->emplace_back();
    Column& column = added.column;
    column.path = path_;
    column.name = path_[0];
    for (size_t i = 1; i < path_.size(); ++i) column.name += "." + path_[i];
    column.logical_type = type_;
    added.is_nulls = type.id() == arrow::Type::NA;
    added.list_depth = lists_.empty() ? 0 : list_depth_;
    column.unsupported = SetType(field, type, &added);
    if (column.unsupported.empty() || added.is_nulls) added.leaf = field.column_index;
  }

  // Sets the column's type. Returns the reason if the column is refused, else an empty
  // string.
  std::string SetType(const Field& field, const arrow::DataType& type,
                      SchemaColumn* added) const {
    if (!field.is_leaf()) return Refusal(PluralOf(type));
    Column& column = added->column;
    std::optional<Element> element = ElementOf(type);
    std::vector<int64_t> blob;
    if (type.id() == arrow::Type::FIXED_SIZE_BINARY) {
      element = Element{DType::kUInt8, ""};
      blob = {static_cast<const arrow::FixedSizeBinaryType&>(type).byte_width()};
    }
    const parquet::ColumnDescriptor& stored = *schema_.Column(field.column_index);
    if (added->is_nulls) column.storage = StorageOf(stored);
    if (!element) return Refusal(PluralOf(type));
    if (stored.logical_type() != nullptr && stored.logical_type()->is_interval()) {
      return Refusal("intervals");
    }
    column.dtype = element->dtype;
    column.unit = element->unit;
    SetShape(blob, &column);
    column.storage = StorageOf(stored);
    // A decoder takes the file's bytes as values, so the storage must fit the type.
    if (IsConsistent(column, column.storage)) return "";
    for (const int64_t size : column.dense_shape) {
      if (size <= 0) return "lists of no elements are not supported";
    }
    return "values of this type stored as " +
           parquet::TypeToString(stored.physical_type(), stored.type_length()) +
           " are not supported";
  }

  // Sets the column's shape. From the innermost list outwards, lists of fixed size
  // become dimensions of the dense shape, up to the first level that has any length.
  void SetShape(const std::vector<int64_t>& blob, Column* column) const {
    size_t ragged = lists_.size();
    while (ragged > 0 && !lists_[ragged - 1].shape.empty() && !column->is_bytes()) {
      --ragged;
    }
    column->ragged_rank = static_cast<int32_t>(ragged);
    for (size_t i = ragged; i < lists_.size(); ++i) {
      column->list_sizes.push_back(lists_[i].size);
      column->dense_shape.insert(column->dense_shape.end(), lists_[i].shape.begin(),
                                 lists_[i].shape.end());
    }
    column->dense_shape.insert(column->dense_shape.end(), blob.begin(), blob.end());
  }

  ColumnStorage StorageOf(const parquet::ColumnDescriptor& stored) const {
    ColumnStorage storage;
    storage.physical = static_cast<ColumnStorage::Physical>(stored.physical_type());
    if (storage.physical == ColumnStorage::kFixedLenByteArray) {
      storage.type_length = stored.type_length();
    }
    if (const auto& type = stored.logical_type();
        type != nullptr && type->is_decimal()) {
      storage.decimal_scale = static_cast<int16_t>(
          static_cast<const parquet::DecimalLogicalType&>(*type).scale());
    }
    storage.max_definition_level = stored.max_definition_level();
    for (const ListLevel& list : lists_) {
      storage.slot_definition_levels.push_back(list.slot_definition_level);
    }
    return storage;
  }

  const parquet::SchemaDescriptor& schema_;
  std::vector<SchemaColumn>* const columns_;
  std::vector<std::string> path_;
  std::string type_;  // type of the last field of path_, with the lists around it
  std::vector<ListLevel> lists_;
  size_t list_depth_ = 0;  // number of fields that lead to the first list
};

// Returns the text with each byte beyond ASCII written as in "\xff".
std::string InAscii(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string ascii;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x80) {
      ascii += c;
    } else {
      ascii.append("\\x") += kDigits[byte >> 4];
      ascii += kDigits[byte & 0xf];
    }
  }
  return ascii;
}

// Makes columns unsupported whose names are not UTF-8: callers that show names or ask
// by name, such as Python, accept only UTF-8.
void RefuseNamesOfOtherBytes(std::vector<SchemaColumn>* columns) {
  arrow::util::InitializeUTF8();
  for (SchemaColumn& column : *columns) {
    if (arrow::util::ValidateUTF8(column.column.name)) continue;
    column.column.name = InAscii(column.column.name);
    for (std::string& field : column.column.path) field = InAscii(field);
    column.column.unsupported = "its name is not UTF-8";
    column.leaf = -1;
    column.is_nulls = false;
  }
}

// Makes columns unsupported whose type is not that of the file.
void RefuseTypes(const RefusedTypes& refused, std::vector<SchemaColumn>* columns) {
  for (const RefusedLeaves& leaves : refused) {
    for (SchemaColumn& column : *columns) {
      if (column.leaf < leaves.begin || column.leaf >= leaves.end) continue;
      column.column.unsupported = "its type cannot be read: " + leaves.why;
      column.leaf = -1;
      column.is_nulls = false;
    }
  }
}

void RefuseDuplicates(std::vector<SchemaColumn>* columns) {
  std::unordered_map<std::string, int> counts;
  for (const SchemaColumn& column : *columns) ++counts[column.column.name];
  for (SchemaColumn& column : *columns) {
    const int count = counts[column.column.name];
    if (count == 1) continue;
    column.column.unsupported = std::to_string(count) + " columns have this name";
    column.leaf = -1;
    column.is_nulls = false;
  }
}

constexpr char kArrowSchema[] = "ARROW:schema";

std::string ArrowSchemaOf(const parquet::FileMetaData& metadata) {
  const auto& pairs = metadata.key_value_metadata();
  const int index = pairs == nullptr ? -1 : pairs->FindKey(kArrowSchema);
  return index < 0 ? std::string() : pairs->value(index);
}

Result<std::vector<SchemaColumn>> ReadWholeSchema(
    const parquet::SchemaDescriptor& schema, const std::string& arrow_schema) {
  std::shared_ptr<const arrow::KeyValueMetadata> pairs;
  if (!arrow_schema.empty()) {
    pairs = arrow::key_value_metadata({{kArrowSchema, arrow_schema}});
  }
  parquet::arrow::SchemaManifest manifest;
  ROWFEED_ARROW_RETURN_NOT_OK(parquet::arrow::SchemaManifest::Make(
      &schema, pairs, parquet::default_arrow_reader_properties(), &manifest));
  std::vector<SchemaColumn> columns;
  columns.reserve(manifest.schema_fields.size());
  LeafCollector collector(schema, &columns);
  for (const Field& field : manifest.schema_fields) {
    collector.Collect(field, field.field->name());
  }
  return columns;
}

}  // namespace

Result<std::vector<SchemaColumn>> ReadSchema(const parquet::FileMetaData& metadata,
                                             const RefusedTypes& refused) {
  return CatchParquet([&]() -> Result<std::vector<SchemaColumn>> {
    const std::string arrow_schema = ArrowSchemaOf(metadata);
    Result<std::vector<SchemaColumn>> columns =
        CatchParquet([&] { return ReadWholeSchema(*metadata.schema(), arrow_schema); });
    if (!columns.ok() && columns.status().code() != StatusCode::kOutOfMemory) {
      columns = ReadByField(metadata, arrow_schema, ReadWholeSchema, columns.status());
    }
    if (columns.ok()) {
      RefuseTypes(refused, &*columns);
      RefuseNamesOfOtherBytes(&*columns);
      RefuseDuplicates(&*columns);
      MarkAddedIndexes(metadata, &*columns);
    }
    return columns;
  });
}

bool SameSchema(const parquet::FileMetaData& a, const parquet::FileMetaData& b) {
  return a.schema()->schema_root()->Equals(b.schema()->schema_root().get()) &&
         ArrowSchemaOf(a) == ArrowSchemaOf(b);
}

}  // namespace rowfeed
