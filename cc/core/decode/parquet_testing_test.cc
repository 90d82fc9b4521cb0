// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests with the files of apache/parquet-testing, if the environment variable
// ROWFEED_PARQUET_TESTING names their directory.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "arrow/util/compression.h"
#include "core/decode/column_decoder.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
#include "core/decode/pages/page_opener.h"
#include "core/decode/values/make_slot_format.h"
#include "core/io/random_access_file.h"
#include "gtest/gtest.h"
#include "parquet/column_reader.h"
#include "parquet/exception.h"
#include "testing/chunk_fixture.h"
#include "testing/page_description.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using testing::Describe;
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

// Returns the chunks of a file; none if Parquet does not read its footer.
std::vector<TestChunk> ChunksOf(const std::string& path) {
  try {
    return testing::OpenChunks(ReadFile(path));
  } catch (const parquet::ParquetException&) {
    return {};
  }
}

Result<std::string> BytesOf(const TestChunk& chunk) {
  const Extent extent{chunk.chunk.offset, chunk.chunk.size};
  ROWFEED_RETURN_NOT_OK(CheckExtent(*chunk.file, extent));
  std::string bytes(extent.size, '\0');
  ROWFEED_RETURN_NOT_OK(chunk.file->ReadAt(extent.offset, extent.size,
                                           reinterpret_cast<uint8_t*>(bytes.data())));
  return bytes;
}

// Describes in words the pages of a chunk that hold values.
struct Pages {
  std::vector<std::string> words;
  int64_t num_values = 0;
};

Pages PagesOf(const PageList& list) {
  Pages pages;
  if (list.dictionary) pages.words.push_back(Describe(list.dictionary->header));
  for (const Page& page : list.data) {
    pages.words.push_back(Describe(page.header));
    pages.num_values += page.header.num_values;
  }
  return pages;
}

// Describes the pages of a chunk as Arrow's page reader sees them.
Result<Pages> PagesByArrow(const TestChunk& chunk) {
  ROWFEED_ASSIGN_OR_RETURN(const std::string bytes, BytesOf(chunk));
  ROWFEED_ASSIGN_OR_RETURN(const arrow::Compression::type codec,
                           ArrowCodec(chunk.chunk.codec));
  const auto descriptor = MakeDescriptor(chunk.column.storage);
  Pages pages;
  try {
    const auto reader = parquet::PageReader::Open(
        std::make_shared<arrow::io::BufferReader>(
            std::make_shared<arrow::Buffer>(bytes)),
        chunk.chunk.num_values, codec, parquet::ReaderProperties(), *descriptor);
    while (const auto page = reader->NextPage()) {
      const PageHeader header = testing::HeaderOf(*page);
      pages.words.push_back(Describe(header));
      if (header.is_data()) pages.num_values += header.num_values;
    }
  } catch (const parquet::ParquetException& error) {
    return Status::Corrupt(error.what());
  }
  return pages;
}

class ParquetTestingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Files().empty()) GTEST_SKIP() << "ROWFEED_PARQUET_TESTING is not set";
  }

  Result<Pages> ReadPages(const TestChunk& chunk) const {
    ROWFEED_ASSIGN_OR_RETURN(ChunkReader reader,
                             ChunkReader::Open(chunk.Request(), pool_));
    ROWFEED_ASSIGN_OR_RETURN(const PageList list, ListPages(&reader, chunk.chunk));
    return PagesOf(list);
  }

  const std::shared_ptr<BufferPool> pool_ = BufferPool::Make(1 << 28);
};

TEST_F(ParquetTestingTest, HeadersAreThoseOfArrow) {
  int compared = 0;
  for (const std::string& path : Files()) {
    for (const TestChunk& chunk : ChunksOf(path)) {
      SCOPED_TRACE(path + " " + chunk.column.name);
      const auto pages = ReadPages(chunk);
      const auto expected = PagesByArrow(chunk);
      if (!pages.ok()) {
        // Arrow's page reader does not check the number of values, so it may accept the
        // chunk.
        if (expected.ok() && expected->num_values == chunk.chunk.num_values) {
          ADD_FAILURE() << "pages: " << pages.status().message()
                        << "; Arrow: " << expected->words.size() << " pages with "
                        << expected->num_values << " values";
        }
        continue;
      }
      // Arrow also decompresses bodies, and may fail at one whose header is sound.
      if (!expected.ok()) continue;
      EXPECT_EQ(pages->words, expected->words);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

TEST_F(ParquetTestingTest, RowsAreThoseOfArrow) {
  // One file has strings of a gigabyte each, and this test makes several copies: it is
  // left out.
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
