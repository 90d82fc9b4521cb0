// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_list.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/chunk_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

constexpr char kBody[] = "12345678";

void AppendVarint(uint32_t value, std::vector<uint8_t>* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

// Makes a page whose body is the 8 bytes of kBody.
std::vector<uint8_t> PageOf(PageHeader::Type type, uint32_t num_values,
                            uint32_t uncompressed_size = 8, uint32_t size = 8) {
  std::vector<uint8_t> out;
  const auto field = [&](uint8_t header, uint32_t value) {
    out.push_back(header);
    AppendVarint(value * 2, &out);  // zigzag coding
  };
  field(0x15, type);
  field(0x15, uncompressed_size);
  field(0x15, size);
  if (type != PageHeader::kIndex) {
    out.push_back(type == PageHeader::kData ? 0x2c : 0x4c);
    field(0x15, num_values);
    field(0x15, PageHeader::kPlain);
    if (type == PageHeader::kData) {
      field(0x15, PageHeader::kRle);
      field(0x15, PageHeader::kRle);
    }
    out.push_back(0);
  }
  out.push_back(0);
  out.insert(out.end(), kBody, kBody + 8);
  return out;
}

std::vector<uint8_t> Join(const std::vector<std::vector<uint8_t>>& pages) {
  std::vector<uint8_t> out;
  for (const auto& page : pages) out.insert(out.end(), page.begin(), page.end());
  return out;
}

ColumnChunk ChunkOf(int64_t num_values) {
  return {.num_values = num_values, .uncompressed_kib = 1};
}

// Reads the pages of a chunk that is the whole file, page by page.
Result<PageList> List(const std::vector<uint8_t>& bytes, ColumnChunk chunk,
                      bool are_lists = false) {
  testing::TestChunk test;
  test.chunk = chunk;
  test.group_rows = 2;
  test.file =
      std::make_shared<testing::MemoryFile>(std::string(bytes.begin(), bytes.end()));
  test.chunk.size = static_cast<int64_t>(bytes.size());
  ROWFEED_ASSIGN_OR_RETURN(
      ChunkReader reader,
      ChunkReader::Open(test.Request(0, 1), BufferPool::Make(1 << 20)));
  ROWFEED_ASSIGN_OR_RETURN(PageList pages, ListPages(&reader, test.chunk, are_lists));
  ROWFEED_RETURN_NOT_OK(LoadBodies(&reader, &pages));
  for (Page& page : pages.data) EXPECT_EQ(std::memcmp(page.body.data(), kBody, 8), 0);
  return pages;
}

TEST(PageListTest, KeepsPagesThatHoldValues) {
  const auto bytes =
      Join({PageOf(PageHeader::kDictionary, 1), PageOf(PageHeader::kData, 2),
            PageOf(PageHeader::kIndex, 0), PageOf(PageHeader::kData, 3)});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageList pages, List(bytes, ChunkOf(5)));
  ASSERT_TRUE(pages.dictionary);
  EXPECT_EQ(pages.dictionary->header.num_values, 1);
  ASSERT_EQ(pages.data.size(), 2);
  EXPECT_EQ(pages.data[1].header.num_values, 3);
}

TEST(PageListTest, StopsAfterTheLastValue) {
  auto bytes = PageOf(PageHeader::kData, 2);
  bytes.push_back(0xff);  // a byte after the chunk
  ROWFEED_EXPECT_OK(List(bytes, ChunkOf(2)));
  ROWFEED_EXPECT_OK(List({}, ChunkOf(0)));
}

TEST(PageListTest, CountsValues) {
  const auto bytes = Join({PageOf(PageHeader::kData, 2), PageOf(PageHeader::kData, 3)});
  EXPECT_THAT(
      List(bytes, ChunkOf(4)),
      StatusIs(StatusCode::kCorrupt, "expected 4 values by the footer, found 5"));
  EXPECT_THAT(List(bytes, ChunkOf(6)),
              StatusIs(StatusCode::kCorrupt, "page 2, after 5 of 6 values"));
}

TEST(PageListTest, ListsMayHaveMoreValuesThanTheFooterClaims) {
  const auto bytes = Join({PageOf(PageHeader::kData, 2), PageOf(PageHeader::kData, 3)});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageList pages,
                               List(bytes, ChunkOf(4), /*are_lists=*/true));
  EXPECT_EQ(pages.data.size(), 2);
  EXPECT_THAT(List(bytes, ChunkOf(6), /*are_lists=*/true),
              StatusIs(StatusCode::kCorrupt, "page 2, after 5 of 6 values"));
}

TEST(PageListTest, RefusesALateDictionary) {
  const auto dictionary = PageOf(PageHeader::kDictionary, 1);
  const auto data = PageOf(PageHeader::kData, 2);
  EXPECT_THAT(List(Join({data, dictionary, data}), ChunkOf(4)),
              StatusIs(StatusCode::kCorrupt, "not the chunk's first page"));
  EXPECT_THAT(List(Join({dictionary, dictionary, data}), ChunkOf(2)),
              StatusIs(StatusCode::kCorrupt, "not the chunk's first page"));
}

TEST(PageListTest, RefusesSizesBeyondTheChunk) {
  EXPECT_THAT(List(PageOf(PageHeader::kData, 2, 8, 9), ChunkOf(2)),
              StatusIs(StatusCode::kCorrupt, "has 9 bytes"));
}

TEST(PageListTest, RefusesAPageLargerThanTheFooterSays) {
  const auto bytes = PageOf(PageHeader::kData, 2, /*uncompressed_size=*/1u << 30);
  EXPECT_THAT(List(bytes, ChunkOf(2)),
              StatusIs(StatusCode::kCorrupt, "claims 1073741824 bytes"));
  ColumnChunk large = ChunkOf(2);
  large.uncompressed_kib = 2u << 20;
  ROWFEED_EXPECT_OK(List(bytes, large));
}

}  // namespace
}  // namespace rowfeed
