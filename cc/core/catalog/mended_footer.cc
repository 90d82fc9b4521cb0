// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/mended_footer.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "core/arrow_status.h"
#include "core/arrow_version.h"
#include "core/thrift_reader.h"
#include "parquet/properties.h"

namespace rowfeed {
namespace {

// The numbers of fields in the format's parquet.thrift. The first four are fields of
// FileMetaData, the others of SchemaElement.
constexpr int16_t kFileVersion = 1;
constexpr int16_t kSchema = 2;
constexpr int16_t kNumRows = 3;
constexpr int16_t kRowGroups = 4;
constexpr int16_t kType = 1;
constexpr int16_t kRepetition = 3;
constexpr int16_t kName = 4;
constexpr int16_t kNumChildren = 5;

// Numbers as Thrift's compact protocol writes them.
constexpr std::string_view kZero("\0", 1);
constexpr std::string_view kOne("\2");
constexpr std::string_view kByteArray("\14");  // 6, the number of the type BYTE_ARRAY
constexpr std::string_view kNoStructs("\14");  // an empty list

// A field of a struct in Thrift's compact protocol, with the bytes of its value.
struct FieldBytes {
  int16_t id;
  uint8_t type;
  std::string_view value;
};
using Element = std::vector<FieldBytes>;

void AppendVarint(uint64_t value, std::string* out) {
  for (; value > 0x7f; value >>= 7) *out += static_cast<char>(value | 0x80);
  *out += static_cast<char>(value);
}

// Writes a struct of fields in ascending order.
std::string StructOf(const Element& fields) {
  std::string out;
  int last = 0;
  for (const FieldBytes& field : fields) {
    const int delta = field.id - last;
    if (delta > 0 && delta < 16) {
      out += static_cast<char>(delta << 4 | field.type);
    } else {
      out += static_cast<char>(field.type);
      AppendVarint(static_cast<uint64_t>(field.id) << 1, &out);
    }
    out += field.value;
    last = field.id;
  }
  out += '\0';
  return out;
}

// A schema in the bytes of a footer: its elements, in preorder, and where they lie.
struct Schema {
  int64_t begin = 0;
  int64_t end = 0;
  std::vector<Element> elements;
};

std::optional<Schema> FindSchema(std::string_view footer) {
  const auto* data = reinterpret_cast<const uint8_t*>(footer.data());
  ThriftReader reader(data, std::ssize(footer));
  ThriftReader::Field field;
  while (reader.NextField(&field) && field.id != kSchema) reader.Skip(field);
  const uint64_t size = reader.EnterListOfStructs(field);
  Schema schema;
  schema.begin = reader.consumed();
  while (reader.ok() && schema.elements.size() < size) {
    Element& element = schema.elements.emplace_back();
    for (ThriftReader::Field own; reader.NextField(&own);) {
      const int64_t begin = reader.consumed();
      reader.Skip(own);
      if (!reader.ok()) return std::nullopt;
      element.push_back(
          {own.id, own.type, footer.substr(begin, reader.consumed() - begin)});
    }
  }
  schema.end = reader.consumed();
  if (!reader.ok() || schema.elements.empty()) return std::nullopt;
  return schema;
}

// Returns how many elements follow as children; 0 for a column, and for a group without
// any.
int32_t NumChildren(const Element& element) {
  const auto found = std::ranges::find(element, kNumChildren, &FieldBytes::id);
  if (found == element.end()) return 0;
  const auto* data = reinterpret_cast<const uint8_t*>(found->value.data());
  ThriftReader reader(data, std::ssize(found->value));
  return reader.ReadI32({found->id, found->type});
}

// Whether the element is a Parquet column. A group without children is none.
bool IsColumn(const Element& element) {
  return NumChildren(element) == 0 &&
         std::ranges::find(element, kType, &FieldBytes::id) != element.end();
}

// Returns, for each element, the Parquet columns below it, or the one that it is.
// nullopt: the elements are no tree.
std::optional<std::vector<std::pair<int, int>>> LeavesOf(
    const std::vector<Element>& elements) {
  struct Open {
    size_t element;
    int32_t children_left;
  };
  std::vector<std::pair<int, int>> leaves(elements.size());
  std::vector<Open> open;
  int num_leaves = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0 && open.empty()) return std::nullopt;
    const int32_t children = NumChildren(elements[i]);
    if (children < 0) return std::nullopt;
    leaves[i].first = num_leaves;
    if (IsColumn(elements[i])) ++num_leaves;
    open.push_back({i, children});
    while (!open.empty() && open.back().children_left == 0) {
      leaves[open.back().element].second = num_leaves;
      open.pop_back();
      if (!open.empty()) --open.back().children_left;
    }
  }
  if (!open.empty()) return std::nullopt;
  return leaves;
}

Element WithOneChild(Element group) {
  std::ranges::find(group, kNumChildren, &FieldBytes::id)->value = kOne;
  return group;
}

// Asks Arrow to parse a footer whose only column is `element`, or is in it.
Status ParseAlone(const Element& element) {
  constexpr std::string_view kX("\1x");  // its length, then its only letter
  const Element root = {{kName, ThriftReader::kBinary, kX},
                        {kNumChildren, ThriftReader::kI32, kOne}};
  const Element leaf = {{kType, ThriftReader::kI32, kOne},
                        {kName, ThriftReader::kBinary, kX}};
  const bool is_group = NumChildren(element) > 0;
  std::string schema;
  schema += static_cast<char>((is_group ? 3 : 2) << 4 | ThriftReader::kStruct);
  schema += StructOf(root);
  schema += StructOf(is_group ? WithOneChild(element) : element);
  if (is_group) schema += StructOf(leaf);
  const std::string footer = StructOf({{kFileVersion, ThriftReader::kI32, kOne},
                                       {kSchema, ThriftReader::kList, schema},
                                       {kNumRows, ThriftReader::kI64, kZero},
                                       {kRowGroups, ThriftReader::kList, kNoStructs}});
  return CatchParquet([&]() -> Status {
    ParseFooter(reinterpret_cast<const uint8_t*>(footer.data()), std::ssize(footer),
                parquet::default_reader_properties());
    return {};
  });
}

// Returns the element without all that says what its values mean.
Element WithoutAnnotation(Element element) {
  std::erase_if(element,
                [](const FieldBytes& field) { return field.id > kNumChildren; });
  return element;
}

// Returns a column of bytes with the name and the repetition of the element.
Element AsBytes(const Element& element) {
  Element bytes = {{kType, ThriftReader::kI32, kByteArray}};
  std::ranges::copy_if(element, std::back_inserter(bytes), [](const FieldBytes& field) {
    return field.id == kRepetition || field.id == kName;
  });
  return bytes;
}

// Mends an element that Arrow refuses. Returns false if that is not possible.
bool MendElement(Element* element) {
  Element mended = WithoutAnnotation(*element);
  if (!ParseAlone(mended).ok()) {
    if (!IsColumn(*element)) return false;
    mended = AsBytes(*element);
    if (!ParseAlone(mended).ok()) return false;
  }
  *element = std::move(mended);
  return true;
}

}  // namespace

std::optional<MendedFooter> MendFooter(std::string_view footer) {
  std::optional<Schema> schema = FindSchema(footer);
  if (!schema) return std::nullopt;
  const auto leaves = LeavesOf(schema->elements);
  if (!leaves) return std::nullopt;
  MendedFooter mended;
  mended.bytes = footer.substr(0, schema->begin);
  for (size_t i = 0; i < schema->elements.size(); ++i) {
    Element& element = schema->elements[i];
    const Status status = i == 0 ? Status() : ParseAlone(element);
    if (!status.ok()) {
      if (!MendElement(&element)) return std::nullopt;
      const auto& [begin, end] = (*leaves)[i];
      mended.refused.push_back({begin, end, status.message()});
    }
    mended.bytes += StructOf(element);
  }
  if (mended.refused.empty()) return std::nullopt;
  mended.bytes += footer.substr(schema->end);
  return mended;
}

}  // namespace rowfeed
