// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/page_header.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

Result<int64_t> Read(const std::vector<uint8_t>& bytes, PageHeader* header) {
  return ReadPageHeader(bytes.data(), static_cast<int64_t>(bytes.size()), header);
}

// A dictionary page: type 2, sizes 100 and 60, 25 values, PLAIN, sorted.
const std::vector<uint8_t> kDictionary = {0x15, 4,  0x15, 0xc8, 1,    0x15, 120, 0x4c,
                                          0x15, 50, 0x15, 0,    0x11, 0,    0};

TEST(PageHeaderTest, ReadsADictionaryPage) {
  PageHeader header;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const int64_t size, Read(kDictionary, &header));
  EXPECT_EQ(size, static_cast<int64_t>(kDictionary.size()));
  EXPECT_EQ(header.type, PageHeader::kDictionary);
  EXPECT_EQ(header.uncompressed_size, 100);
  EXPECT_EQ(header.compressed_size, 60);
  EXPECT_EQ(header.num_values, 25);
  EXPECT_EQ(header.encoding, PageHeader::kPlain);
}

TEST(PageHeaderTest, SkipsFieldsOfEveryType) {
  std::vector<uint8_t> bytes = {0x15, 4, 0x15, 0xc8, 1, 0x15, 120, 0x4c, 0x15, 50, 0x15,
                                0,
                                // Fields 8, 9, … of the inner struct that nobody knows.
                                0x61,                          // true
                                0x13, 7,                       // byte
                                0x14, 0x80, 1,                 // i16
                                0x16, 0xff, 0xff, 3,           // i64
                                0x17, 1, 2, 3, 4, 5, 6, 7, 8,  // double
                                0x18, 3, 'a', 'b', 'c',        // binary
                                0x19, 0x25, 1, 2,              // list<i32>
                                0x1a, 0x21, 1, 2,              // set<bool>
                                0x1b, 1, 0x58, 1, 1, 'x',      // map<i32, binary>
                                0x1b, 0,                       // an empty map
                                0x1c, 0x15, 2, 0,              // struct
                                0x1d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                0x05, 0xc8, 1, 9,  // id in full: 100
                                0, 0};
  PageHeader header;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const int64_t size, Read(bytes, &header));
  EXPECT_EQ(size, static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(header.num_values, 25);
}

TEST(PageHeaderTest, RefusesEveryPrefix) {
  PageHeader header;
  for (size_t size = 0; size < kDictionary.size(); ++size) {
    // A buffer of its own, so that a sanitizer sees a read beyond its end.
    const std::vector<uint8_t> prefix(kDictionary.begin(), kDictionary.begin() + size);
    EXPECT_THAT(Read(prefix, &header), StatusIs(StatusCode::kCorrupt, "damaged"))
        << size;
  }
}

TEST(PageHeaderTest, RefusesNegativeSizes) {
  PageHeader header;
  for (const size_t position : {3, 6, 9}) {
    std::vector<uint8_t> bytes = kDictionary;
    bytes[position] |= 1;  // zigzag: odd is negative
    EXPECT_THAT(Read(bytes, &header), StatusIs(StatusCode::kCorrupt, "")) << position;
  }
}

TEST(PageHeaderTest, RefusesV2LevelsLongerThanThePage) {
  const auto bytes = [](uint8_t levels) {
    return std::vector<uint8_t>{0x15, 6, 0x15, 40, 0x15, 40,     0x5c, 0x15, 2, 0x15, 0,
                                0x15, 2, 0x15, 0,  0x15, levels, 0x15, 20,   0, 0};
  };
  PageHeader header;
  ROWFEED_ASSERT_OK(Read(bytes(20), &header));
  EXPECT_EQ(header.type, PageHeader::kDataV2);
  EXPECT_EQ(header.definition_levels_size, 10);
  EXPECT_TRUE(header.is_compressed);
  EXPECT_THAT(Read(bytes(22), &header), StatusIs(StatusCode::kCorrupt, ""));
}

TEST(PageHeaderTest, RefusesAPageWithoutItsStruct) {
  PageHeader header;
  EXPECT_THAT(Read({0x15, 0, 0x15, 40, 0x15, 40, 0}, &header),
              StatusIs(StatusCode::kCorrupt, ""));
}

TEST(PageHeaderTest, RefusesDeepNesting) {
  std::vector<uint8_t> bytes(100000, 0x1c);  // structs in structs
  PageHeader header;
  EXPECT_THAT(Read(bytes, &header), StatusIs(StatusCode::kCorrupt, ""));
}

}  // namespace
}  // namespace rowfeed
