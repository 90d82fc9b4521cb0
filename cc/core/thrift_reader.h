// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_THRIFT_READER_H_
#define ROWFEED_CORE_THRIFT_READER_H_

#include <cstdint>

namespace rowfeed {

// Reads the part of Thrift's compact protocol that Parquet uses. After the first
// error ok() stays false, every read returns 0, and NextField() returns false, so a
// caller need check only once, at the end.
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

  // Reads the id and type of a struct's next field into `field`; returns false at the
  // struct's end. Before the first call `field` must be Field(), as ids are stored as
  // differences.
  bool NextField(Field* field);
  // Both read the value of `field`, and fail if it has another type.
  int32_t ReadI32(const Field& field);
  bool ReadBool(const Field& field);
  // Begins to read the struct that is the value of `field`: the next calls of
  // NextField() return its fields. Fails if `field` is no struct.
  bool EnterStruct(const Field& field);
  // Begins to read the list that is the value of `field`, and returns the number of its
  // items, which follow. Fails if `field` is no list, or if its items are no structs.
  uint64_t EnterListOfStructs(const Field& field);
  void Skip(const Field& field) { SkipValue(field.type, /*in_list=*/false, 0); }

  void Fail() { ok_ = false; }

 private:
  uint8_t ReadByte();
  uint64_t ReadVarint();
  uint64_t ReadListSize(uint8_t* item_type);
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

#endif  // ROWFEED_CORE_THRIFT_READER_H_
