// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/schema_by_field.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/arrow_status.h"
#include "core/arrow_version.h"
#include "core/catalog/schema/stored_schema.h"
#include "parquet/properties.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

using parquet::schema::GroupNode;
using parquet::schema::Node;

// Returns a copy of the metadata. Its nodes will be put into other schemas: a node
// knows its parent, so the original nodes cannot be used.
std::shared_ptr<parquet::FileMetaData> CopyOf(const parquet::FileMetaData& metadata) {
  const std::string bytes = metadata.SerializeToString();
  return ParseFooter(reinterpret_cast<const uint8_t*>(bytes.data()),
                     static_cast<int64_t>(bytes.size()),
                     parquet::default_reader_properties());
}

bool IsListOrMap(const Node& node) {
  const auto& type = node.logical_type();
  return node.is_group() && type != nullptr && (type->is_list() || type->is_map());
}

// Returns the names of the fields that lead to a leaf. The two inner nodes of a list
// are left out, and so is the first inner node of a map.
std::vector<std::string> PathOf(const Node& leaf) {
  std::vector<const Node*> nodes;
  for (const Node* node = &leaf; node->parent() != nullptr; node = node->parent()) {
    nodes.push_back(node);
  }
  std::reverse(nodes.begin(), nodes.end());
  std::vector<std::string> path;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i >= 1 && IsListOrMap(*nodes[i - 1])) continue;
    if (i >= 2 && IsListOrMap(*nodes[i - 2]) && nodes[i - 2]->logical_type()->is_list())
      continue;
    path.push_back(nodes[i]->name());
  }
  return path;
}

SchemaColumn Unsupported(const parquet::ColumnDescriptor& leaf, const Status& why) {
  SchemaColumn added;
  Column& column = added.column;
  column.path = PathOf(*leaf.schema_node());
  column.name = column.path[0];
  for (size_t i = 1; i < column.path.size(); ++i) column.name += "." + column.path[i];
  column.logical_type = parquet::TypeToString(leaf.physical_type(), leaf.type_length());
  column.unsupported = "its type cannot be read: " + why.message();
  return added;
}

Result<std::vector<SchemaColumn>> ReadAlone(const parquet::SchemaDescriptor& schema,
                                            const std::optional<StoredSchema>& stored,
                                            int field, const ReadWhole& read_whole) {
  if (!stored) return read_whole(schema, "");
  ROWFEED_ASSIGN_OR_RETURN(const std::string arrow_schema, stored->FieldAlone(field));
  return read_whole(schema, arrow_schema);
}

}  // namespace

Result<std::vector<SchemaColumn>> ReadByField(const parquet::FileMetaData& metadata,
                                              const std::string& arrow_schema,
                                              const ReadWhole& read_whole,
                                              const Status& whole) {
  const std::shared_ptr<parquet::FileMetaData> copy = CopyOf(metadata);
  const GroupNode& root = *copy->schema()->group_node();
  std::optional<StoredSchema> stored;
  if (!arrow_schema.empty()) {
    stored = StoredSchema::Open(arrow_schema, root.field_count());
    if (!stored) return whole;
  }
  std::vector<SchemaColumn> columns;
  int first_leaf = 0;
  for (int i = 0; i < root.field_count(); ++i) {
    parquet::SchemaDescriptor one;
    one.Init(GroupNode::Make(root.name(), root.repetition(), {root.field(i)}));
    Result<std::vector<SchemaColumn>> read =
        CatchParquet([&] { return ReadAlone(one, stored, i, read_whole); });
    if (read.ok()) {
      for (SchemaColumn& column : *read) {
        if (column.leaf >= 0) column.leaf += first_leaf;
        columns.push_back(std::move(column));
      }
    } else {
      for (int leaf = 0; leaf < one.num_columns(); ++leaf) {
        columns.push_back(Unsupported(*one.Column(leaf), read.status()));
      }
    }
    first_leaf += one.num_columns();
  }
  return columns;
}

}  // namespace rowfeed
