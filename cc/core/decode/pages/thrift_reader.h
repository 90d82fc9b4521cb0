// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_THRIFT_READER_H_
#define ROWFEED_CORE_DECODE_PAGES_THRIFT_READER_H_

#include <cstdint>

namespace rowfeed {

// Reads the part of Thrift's compact protocol that page headers use. After the first
// error ok() is false for good, every read gives 0 and NextField() ends its struct, so
// callers check once at the end.
class ThriftReader {
 public:
  enum Type : uint8_t {
    kStop = 0,
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kI16 = 4,
    kI32 = 5,
    kI64 = 6,
    kDouble = 7,
    kBinary = 8,
    kList = 9,
    kSet = 10,
    kMap = 11,
    kStruct = 12,
    kUuid = 13,
  };
  struct Field {
    int16_t id = 0;
    uint8_t type = kStop;
  };

  ThriftReader(const uint8_t* data, int64_t size)
      : begin_(data), position_(data), end_(data + size) {}

  bool ok() const { return ok_; }
  int64_t consumed() const { return position_ - begin_; }

  // Steps to the next field of a struct; false at its end. `field` starts as Field().
  bool NextField(Field* field);
  // The value of `field`, which must have the type asked for.
  int32_t ReadI32(const Field& field);
  bool ReadBool(const Field& field);
  // Fails unless `field` is a struct, whose fields follow.
  bool EnterStruct(const Field& field);
  void Skip(const Field& field) { SkipValue(field.type, /*in_list=*/false, 0); }

  void Fail() { ok_ = false; }

 private:
  uint8_t ReadByte();
  uint64_t ReadVarint();
  void Advance(uint64_t size);
  void SkipValue(uint8_t type, bool in_list, int depth);
  void SkipList(int depth);
  void SkipMap(int depth);

  const uint8_t* begin_;
  const uint8_t* position_;
  const uint8_t* end_;
  bool ok_ = true;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_THRIFT_READER_H_
