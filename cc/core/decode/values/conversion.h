// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_CONVERSION_H_

#include <cstdint>
#include <string>
#include <vector>

namespace rowfeed {

// Turns decoded values, as a ValueDecoder writes them, into elements of the type that
// the user asked for. Thread-safe.
class Conversion {
 public:
  virtual ~Conversion() = default;

  int64_t value_bytes() const { return value_bytes_; }
  int64_t element_bytes() const { return element_bytes_; }

  // Converts `count` values that lie side by side, aligned or not. Returns the number
  // of values converted: if it is less than `count`, the next value cannot be
  // converted.
  virtual int64_t Convert(const uint8_t* values, int64_t count,
                          uint8_t* elements) const = 0;
  // The text for an error message that says why this value cannot be converted.
  virtual std::string Refusal(const uint8_t* value) const = 0;

 protected:
  Conversion(int64_t value_bytes, int64_t element_bytes)
      : value_bytes_(value_bytes), element_bytes_(element_bytes) {}

 private:
  const int64_t value_bytes_;
  const int64_t element_bytes_;
};

// Converts all values. Those that cannot be converted become zeros, and their positions
// are returned in ascending order.
std::vector<int64_t> ConvertAll(const Conversion& conversion, const uint8_t* values,
                                int64_t count, uint8_t* elements);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_CONVERSION_H_
