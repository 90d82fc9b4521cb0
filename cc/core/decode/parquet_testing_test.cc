// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// The files of apache/parquet-testing, where ROWFEED_PARQUET_TESTING says they are.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "arrow/util/compression.h"
#include "core/decode/chunk_fixture.h"
#include "core/decode/chunk_reader.h"
#include "core/decode/column_decoder.h"
#include "core/decode/page_list.h"
#include "core/decode/page_opener.h"
#include "core/decode/slot_format.h"
#include "gtest/gtest.h"
#include "parquet/column_page.h"
#include "parquet/column_reader.h"
#include "parquet/exception.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using testing::TestChunk;

std::vector<std::string> Files() {
  const char* root = std::getenv("ROWFEED_PARQUET_TESTING");
  std::vector<std::string> files;
  if (root == nullptr) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".parquet") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The chunks of a file, or none where Parquet does not read its footer.
std::vector<TestChunk> ChunksOf(const std::string& path) {
  try {
    return testing::OpenChunks(ReadFile(path));
  } catch (const parquet::ParquetException&) {
    return {};
  }
}

// What a page header says, as Arrow's page reader sees it.
std::vector<std::string> PagesByArrow(const TestChunk& chunk, Bytes bytes) {
  const auto descriptor = MakeDescriptor(chunk.column.storage);
  auto reader = parquet::PageReader::Open(
      std::make_shared<arrow::io::BufferReader>(
          std::make_shared<arrow::Buffer>(bytes.data(), bytes.size())),
      chunk.chunk.num_values, *ArrowCodec(chunk.chunk.codec),
      parquet::ReaderProperties(), *descriptor);
  std::vector<std::string> pages;
  while (const auto page = reader->NextPage()) {
    std::ostringstream line;
    if (page->type() == parquet::PageType::DICTIONARY_PAGE) {
      const auto& header = static_cast<const parquet::DictionaryPage&>(*page);
      line << "dictionary " << header.num_values() << " " << header.encoding();
    } else {
      const auto& header = static_cast<const parquet::DataPage&>(*page);
      line << "data " << header.num_values() << " " << header.encoding() << " "
           << header.uncompressed_size();
    }
    pages.push_back(line.str());
  }
  return pages;
}

std::vector<std::string> PagesOf(const PageList& list) {
  std::vector<std::string> pages;
  if (list.dictionary) {
    const PageHeader& header = list.dictionary->header;
    pages.push_back("dictionary " + std::to_string(header.num_values) + " " +
                    std::to_string(header.encoding));
  }
  for (const Page& page : list.data) {
    pages.push_back("data " + std::to_string(page.header.num_values) + " " +
                    std::to_string(page.header.encoding) + " " +
                    std::to_string(page.header.uncompressed_size));
  }
  return pages;
}

class ParquetTestingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Files().empty()) GTEST_SKIP() << "ROWFEED_PARQUET_TESTING is not set";
  }
  const std::shared_ptr<BufferPool> pool_ = BufferPool::Make(1 << 28);
};

TEST_F(ParquetTestingTest, HeadersAreThoseOfArrow) {
  int compared = 0;
  for (const std::string& path : Files()) {
    for (const TestChunk& chunk : ChunksOf(path)) {
      SCOPED_TRACE(path + " " + chunk.column.name);
      auto reader = ChunkReader::Open(chunk.Request(), pool_);
      if (!reader.ok()) continue;
      const auto list = ListPages(&*reader, chunk.chunk);
      if (!list.ok()) continue;
      const auto view = reader->Load(0, reader->size());
      std::vector<std::string> expected;
      try {
        expected = PagesByArrow(chunk, *view);
      } catch (const parquet::ParquetException&) {
        continue;  // bodies that do not decompress are not the headers' fault
      }
      EXPECT_EQ(PagesOf(*list), expected);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

TEST_F(ParquetTestingTest, RowsAreThoseOfArrow) {
  // One file has strings of a gigabyte each, of which this test makes several copies.
  constexpr uint32_t kMostKib = 256 << 10;
  int compared = 0;
  for (const std::string& path : Files()) {
    for (TestChunk& chunk : ChunksOf(path)) {
      if (chunk.chunk.uncompressed_kib > kMostKib) continue;
      SCOPED_TRACE(path + " " + chunk.column.name);
      chunk.fill = std::string(ElementSize(chunk.column.dtype), '\x2a');
      const auto block = DecodeColumn(chunk.Request(), pool_);
      const auto oracle = DecodeColumnWithArrow(chunk.Request(), pool_);
      if (block.ok() != oracle.ok()) {
        ADD_FAILURE() << "pages: " << block.status().message()
                      << "; Arrow: " << oracle.status().message();
      } else if (block.ok()) {
        EXPECT_TRUE(testing::RowsOf(*block, chunk.column) ==
                    testing::RowsOf(*oracle, chunk.column));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace rowfeed
