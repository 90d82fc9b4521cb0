// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/thrift_reader.h"

#include <limits>

namespace rowfeed {
namespace {

constexpr int kMaxDepth = 16;  // footers need fewer levels

int64_t Unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

}  // namespace

uint8_t ThriftReader::ReadByte() {
  if (!ok_ || position_ == end_) {
    Fail();
    return 0;
  }
  return *position_++;
}

uint64_t ThriftReader::ReadVarint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = ReadByte();
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  Fail();
  return 0;
}

void ThriftReader::Advance(uint64_t size) {
  if (!ok_ || size > static_cast<uint64_t>(end_ - position_)) {
    Fail();
    return;
  }
  position_ += size;
}

bool ThriftReader::NextField(Field* field) {
  const uint8_t byte = ReadByte();
  field->type = byte & 0x0f;
  if (!ok_ || field->type == kStop) return false;
  const int delta = byte >> 4;
  const int64_t id = delta == 0 ? Unzigzag(ReadVarint()) : field->id + delta;
  if (id < 0 || id > std::numeric_limits<int16_t>::max()) Fail();
  field->id = static_cast<int16_t>(id);
  return ok_;
}

int32_t ThriftReader::ReadI32(const Field& field) {
  if (field.type != kI32) Fail();
  const int64_t value = Unzigzag(ReadVarint());
  if (value < std::numeric_limits<int32_t>::min() ||
      value > std::numeric_limits<int32_t>::max()) {
    Fail();
  }
  return ok_ ? static_cast<int32_t>(value) : 0;
}

bool ThriftReader::ReadBool(const Field& field) {
  if (field.type != kTrue && field.type != kFalse) Fail();
  return field.type == kTrue;
}

bool ThriftReader::EnterStruct(const Field& field) {
  if (field.type != kStruct) Fail();
  return ok_;
}

uint64_t ThriftReader::EnterListOfStructs(const Field& field) {
  uint8_t item_type = kStop;
  const uint64_t size = field.type == kList ? ReadListSize(&item_type) : 0;
  if (item_type != kStruct) Fail();
  return ok_ ? size : 0;
}

uint64_t ThriftReader::ReadListSize(uint8_t* item_type) {
  const uint8_t byte = ReadByte();
  *item_type = byte & 0x0f;
  return (byte >> 4) == 15 ? ReadVarint() : byte >> 4;
}

void ThriftReader::SkipValue(uint8_t type, bool in_list, int depth) {
  if (depth > kMaxDepth) Fail();
  if (!ok_) return;
  switch (type) {
    case kTrue:
    // A bool field has its value in its type; a bool in a list takes a byte.
    case kFalse:
      return Advance(in_list ? 1 : 0);
    case kByte:
      return Advance(1);
    case kI16:
    case kI32:
    case kI64:
      ReadVarint();
      return;
    case kDouble:
      return Advance(8);
    case kBinary:
      return Advance(ReadVarint());
    case kUuid:
      return Advance(16);
    case kList:
    case kSet:
      return SkipList(depth + 1);
    case kMap:
      return SkipMap(depth + 1);
    case kStruct:
      for (Field field; NextField(&field);) SkipValue(field.type, false, depth + 1);
      return;
    default:
      Fail();
  }
}

void ThriftReader::SkipList(int depth) {
  uint8_t item_type = kStop;
  const uint64_t size = ReadListSize(&item_type);
  // Each element takes at least one byte, so a size that lies ends the loop with the
  // data.
  for (uint64_t i = 0; ok_ && i < size; ++i) SkipValue(item_type, true, depth);
}

void ThriftReader::SkipMap(int depth) {
  const uint64_t size = ReadVarint();
  if (size == 0) return;
  const uint8_t types = ReadByte();
  for (uint64_t i = 0; ok_ && i < size; ++i) {
    SkipValue(types >> 4, true, depth);
    SkipValue(types & 0x0f, true, depth);
  }
}

}  // namespace rowfeed
