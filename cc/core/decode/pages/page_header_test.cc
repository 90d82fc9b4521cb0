// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_header.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arrow/io/memory.h"
#include "arrow/util/compression.h"
#include "core/decode/values/make_slot_format.h"
#include "gtest/gtest.h"
#include "parquet/column_reader.h"
#include "parquet/exception.h"
#include "testing/page_description.h"
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
                                0x05, 0xc8, 1, 9,  // field id 100, written in full
                                0, 0};
  PageHeader header;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const int64_t size, Read(bytes, &header));
  EXPECT_EQ(size, static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(header.num_values, 25);
}

TEST(PageHeaderTest, RefusesEveryPrefix) {
  PageHeader header;
  for (size_t size = 0; size < kDictionary.size(); ++size) {
    // Copies to a buffer of exactly this size, so that a sanitizer notices a read
    // beyond its end.
    const std::vector<uint8_t> prefix(kDictionary.begin(), kDictionary.begin() + size);
    EXPECT_THAT(Read(prefix, &header), StatusIs(StatusCode::kCorrupt, "damaged"))
        << size;
  }
}

TEST(PageHeaderTest, RefusesNegativeSizes) {
  PageHeader header;
  for (const size_t position : {3, 6, 9}) {
    std::vector<uint8_t> bytes = kDictionary;
    bytes[position] |= 1;  // in zigzag coding, odd numbers are negative
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

TEST(PageHeaderTest, RefusesAStructBeforeTheTypeThatSaysWhatItIs) {
  // The header of a dictionary page, with its fields in reverse order.
  const std::vector<uint8_t> bytes = {0x7c, 0x15, 50,   0x15, 0,    0, 0x05, 6, 120,
                                      0x05, 4,    0xc8, 1,    0x05, 2, 4,    0};
  PageHeader header;
  EXPECT_THAT(Read(bytes, &header), StatusIs(StatusCode::kCorrupt, "damaged"));
}

TEST(PageHeaderTest, RefusesDeepNesting) {
  std::vector<uint8_t> bytes(100000, 0x1c);  // many structs, one within the other
  PageHeader header;
  EXPECT_THAT(Read(bytes, &header), StatusIs(StatusCode::kCorrupt, ""));
}

// A v1 page with a checksum and statistics: type 0, sizes 100 and 60, 25 values, PLAIN,
// levels RLE, 2 nulls, values from "a" to "b".
const std::vector<uint8_t> kDataV1 = {
    0x15, 0,    0x15, 0xc8, 1,    0x15, 120,  0x15, 8,   0x1c, 0x15, 50,  0x15, 0, 0x15,
    6,    0x15, 6,    0x1c, 0x36, 4,    0x28, 1,    'b', 0x18, 1,    'a', 0,    0, 0};

TEST(PageHeaderTest, ReadsTheChecksum) {
  PageHeader header;
  ROWFEED_ASSERT_OK(Read(kDataV1, &header));
  EXPECT_EQ(header.checksum, 4);
  ROWFEED_ASSERT_OK(Read(kDictionary, &header));
  EXPECT_EQ(header.checksum, std::nullopt);
}

// A v2 page: type 3, sizes 100 and 60, 25 values, 5 nulls, 20 rows, RLE_DICTIONARY, 10
// and 3 bytes of levels, not compressed.
const std::vector<uint8_t> kDataV2 = {0x15, 6,  0x15, 0xc8, 1,    0x15, 120,  0x5c,
                                      0x15, 50, 0x15, 10,   0x15, 40,   0x15, 16,
                                      0x15, 20, 0x15, 6,    0x12, 0,    0};

// Damages bytes: flips one to four bits, overwrites or inserts bytes, or cuts off the
// end.
std::vector<uint8_t> Mutated(std::vector<uint8_t> bytes, std::mt19937_64* random) {
  const int count = 1 + (*random)() % 4;
  for (int i = 0; i < count && !bytes.empty(); ++i) {
    const size_t place = (*random)() % bytes.size();
    const uint64_t kind = (*random)() % 8;
    if (kind < 4) {
      bytes[place] ^= static_cast<uint8_t>(1 << (*random)() % 8);
    } else if (kind < 6) {
      bytes[place] = static_cast<uint8_t>((*random)());
    } else if (kind == 6) {
      bytes.insert(bytes.begin() + place, static_cast<uint8_t>((*random)()));
    } else {
      bytes.resize(place);
    }
  }
  // The buffer has exactly this size, so that a sanitizer notices a read beyond its
  // end.
  return {bytes.begin(), bytes.end()};
}

// Returns the header that Arrow's page reader finds, if a body of zeros follows it;
// nothing if Arrow refuses or skips the page.
std::optional<std::string> DescribeByArrow(std::string header, int64_t body_size) {
  const auto size = static_cast<int64_t>(header.size()) + body_size;
  header.resize(size, '\0');
  const std::shared_ptr<arrow::io::BufferReader> stream =
      arrow::io::BufferReader::FromString(std::move(header));
  const auto descriptor = MakeDescriptor(ColumnStorage());
  try {
    const auto reader = parquet::PageReader::Open(
        stream, /*total_num_values=*/1, arrow::Compression::UNCOMPRESSED,
        parquet::ReaderProperties(), *descriptor);
    const auto page = reader->NextPage();
    if (page == nullptr) return std::nullopt;
    EXPECT_EQ(stream->Tell().ValueOrDie(), size) << "bytes of the header";
    return testing::Describe(*page);
  } catch (const parquet::ParquetException&) {
    return std::nullopt;
  }
}

TEST(PageHeaderTest, MutatedHeadersAreReadAsArrowReadsThem) {
  constexpr int32_t kLargestBody = 4096;
  const std::vector<uint8_t>* const valid[] = {&kDictionary, &kDataV1, &kDataV2};
  int compared[] = {0, 0, 0};
  std::mt19937_64 random(23);
  for (int trial = 0; trial < 21000; ++trial) {
    SCOPED_TRACE(trial);
    const std::vector<uint8_t> bytes = Mutated(*valid[trial % 3], &random);
    PageHeader header;
    const auto length = Read(bytes, &header);
    if (!length.ok()) {
      EXPECT_THAT(length, StatusIs(StatusCode::kCorrupt, ""));
      continue;
    }
    ASSERT_GT(*length, 0);
    ASSERT_LE(*length, std::ssize(bytes));
    EXPECT_GE(
        std::min({header.compressed_size, header.uncompressed_size, header.num_values,
                  header.definition_levels_size, header.repetition_levels_size}),
        0);
    if (header.compressed_size > kLargestBody) continue;
    const auto by_arrow = DescribeByArrow(
        std::string(bytes.begin(), bytes.begin() + *length), header.compressed_size);
    if (!by_arrow) continue;
    EXPECT_EQ(testing::Describe(header), *by_arrow);
    ++compared[trial % 3];
  }
  for (const int count : compared) EXPECT_GT(count, 300);
}

}  // namespace
}  // namespace rowfeed
