// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/stored_schema.h"

#include <cstring>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "arrow/ipc/dictionary.h"
#include "arrow/ipc/reader.h"
#include "arrow/ipc/writer.h"
#include "arrow/type.h"
#include "arrow/util/base64.h"
#include "core/arrow_status.h"

namespace rowfeed {
namespace {

// base64_decode returns a string in Arrow 25, and a Result in Arrow 26.
[[maybe_unused]] std::string OrEmpty(std::string decoded) { return decoded; }
[[maybe_unused]] std::string OrEmpty(arrow::Result<std::string> decoded) {
  return std::move(decoded).ValueOr("");
}

// Reads numbers from a flatbuffer. A place is a byte position in `bytes`. A number at a
// place outside of `bytes` reads as 0, which leads nowhere.
class FlatBuffer {
 public:
  explicit FlatBuffer(const std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  T Read(uint64_t at) const {
    T value = 0;
    if (at + sizeof(T) <= bytes_.size()) {
      std::memcpy(&value, bytes_.data() + at, sizeof(T));
    }
    return value;
  }
  // Returns the place that the offset stored at place `at` points to.
  uint64_t Follow(uint64_t at) const { return at + Read<uint32_t>(at); }

  // Returns the place of field number `id` of the table at place `table`; 0 if the
  // table leaves the field out.
  uint64_t FieldAt(uint64_t table, int id) const {
    const uint64_t vtable = table - Read<int32_t>(table);
    const uint64_t place = 4 + 2 * static_cast<uint64_t>(id);
    if (place + 2 > Read<uint16_t>(vtable)) return 0;
    const auto offset = Read<uint16_t>(vtable + place);
    return offset == 0 ? 0 : table + offset;
  }

 private:
  const std::string& bytes_;
};

}  // namespace

std::optional<StoredSchema> StoredSchema::Open(const std::string& encoded,
                                               int num_fields) {
  constexpr uint32_t kContinuation = 0xffffffff;  // begins messages since Arrow 0.15
  constexpr int kHeader = 2;  // number of the field `header` in table Message
  constexpr int kFields = 1;  // number of the field `fields` in table Schema
  std::string message = OrEmpty(arrow::util::base64_decode(encoded));
  const FlatBuffer buffer(message);
  const uint64_t begin = buffer.Read<uint32_t>(0) == kContinuation ? 8 : 4;
  const uint64_t header = buffer.FieldAt(buffer.Follow(begin), kHeader);
  if (header == 0) return std::nullopt;
  const uint64_t place = buffer.FieldAt(buffer.Follow(header), kFields);
  if (place == 0) return std::nullopt;
  const uint64_t fields = buffer.Follow(place);
  const uint64_t size = message.size();
  if (fields + 4 + 4 * static_cast<uint64_t>(num_fields) > size ||
      buffer.Read<uint32_t>(fields) != static_cast<uint32_t>(num_fields)) {
    return std::nullopt;
  }
  return StoredSchema(std::move(message), static_cast<uint32_t>(fields));
}

Result<std::string> StoredSchema::FieldAlone(int i) const {
  // Overwrites the schema's vector of fields with a vector of one offset, to field `i`.
  // An offset counts from the place at which it is stored.
  std::string message = message_;
  const FlatBuffer buffer(message_);
  const uint32_t skipped = 4 * static_cast<uint32_t>(i);
  const uint32_t offset = buffer.Read<uint32_t>(fields_ + 4 + skipped) + skipped;
  const uint32_t alone[] = {1, offset};
  std::memcpy(message.data() + fields_, alone, sizeof(alone));

  arrow::io::BufferReader reader(arrow::Buffer::FromString(std::move(message)));
  arrow::ipc::DictionaryMemo memo;
  ROWFEED_ARROW_ASSIGN_OR_RETURN(const auto schema,
                                 arrow::ipc::ReadSchema(&reader, &memo));
  ROWFEED_ARROW_ASSIGN_OR_RETURN(
      const auto bytes, arrow::ipc::SerializeSchema(*schema->RemoveMetadata()));
  return arrow::util::base64_encode(std::string_view(*bytes));
}

}  // namespace rowfeed
