// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/growth.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "core/catalog/file_types.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Int64Table;
using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;
using rowfeed::testing::WriteParquet;
using ::testing::ElementsAre;

class GrowthTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, int64_t rows) {
    WriteParquet(dir_.File(name), *Int64Table({"x", "y"}, rows), {.row_group_rows = 4});
  }

  TempDir dir_;
  Growth growth_{{dir_.path()}, std::nullopt, /*num_threads=*/2};
};

TEST_F(GrowthTest, AnUnchangedDirectoryIsTheSameCatalog) {
  Write("a.parquet", 3);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto first, growth_.List(nullptr));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto second, growth_.List(first));
  EXPECT_EQ(first, second);
}

TEST_F(GrowthTest, AGrownCatalogIsThatOfAFreshOpening) {
  Write("b.parquet", 10);
  Write("d.parquet", 3);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto first, growth_.List(nullptr));
  Write("a.parquet", 5);
  Write("c.parquet", 9);
  std::filesystem::remove(dir_.File("d.parquet"));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto grown, growth_.List(first));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto fresh,
                               Catalog::Open({dir_.path()}, std::nullopt, 1));
  EXPECT_EQ(grown->Serialize(), fresh->Serialize());
  EXPECT_THAT(*grown->group_rows(), ElementsAre(4, 1, 4, 4, 2, 4, 4, 1));
  // The catalog of the first listing is unchanged.
  EXPECT_THAT(*first->group_rows(), ElementsAre(4, 4, 2, 3));
}

TEST_F(GrowthTest, ACatalogOfAnotherProcessGrows) {
  Write("a.parquet", 5);
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      const auto known, Catalog::Open({dir_.path()}, std::vector<std::string>{"y"}, 1));
  Write("b.parquet", 2);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto grown, growth_.List(known));
  ASSERT_EQ(grown->columns().size(), 1u);
  EXPECT_EQ(grown->columns()[0].name, "y");
  EXPECT_EQ(grown->num_rows(), 7);
  for (size_t file : {0, 1}) EXPECT_EQ(grown->layout(file).storage.size(), 1u);
  EXPECT_TRUE(Catalog::Parse(grown->Serialize()).ok());
}

TEST_F(GrowthTest, PassesOverWhatIsNotComplete) {
  Write("a.parquet", 5);
  WriteBytes(dir_.File("b.parquet"), "PAR1 half of it");
  WriteBytes(dir_.File("c.parquet"), "");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, growth_.List(nullptr));
  EXPECT_EQ(catalog->num_rows(), 5);
  std::filesystem::remove(dir_.File("a.parquet"));
  EXPECT_THAT(growth_.List(catalog),
              StatusIs(StatusCode::kNotFound, "no complete Parquet file"));
}

TEST_F(GrowthTest, AColumnThatIsGoneStaysWhatItWas) {
  Write("a.parquet", 5);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, growth_.List(nullptr));
  std::filesystem::remove(dir_.File("a.parquet"));
  WriteParquet(dir_.File("b.parquet"), *Int64Table({"x"}, 5));
  Growth other({dir_.path()}, std::nullopt, 1);
  for (Growth* growth : {&growth_, &other}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto grown, growth->List(catalog));
    EXPECT_EQ(grown->columns(), catalog->columns());
    ASSERT_NE(grown->layout(0).Find(1), nullptr);
    EXPECT_EQ(grown->layout(0).Find(1)->kind, Difference::Kind::kMissing);
    EXPECT_EQ(TypesInFiles(*grown, 1), "'y' is missing in " + dir_.File("b.parquet") +
                                           ", int64 in the files before");
  }
}

TEST_F(GrowthTest, AStringPartitionStaysOneWhereOnlyNumbersAreLeft) {
  Write("p=1/a.parquet", 5);
  Write("p=abc/a.parquet", 5);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto known, growth_.List(nullptr));
  std::filesystem::remove_all(dir_.File("p=abc"));
  Growth other({dir_.path()}, std::nullopt, 1);
  for (Growth* growth : {&growth_, &other}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto grown, growth->List(known));
    EXPECT_EQ(grown->columns().back().dtype, DType::kString);
    EXPECT_EQ(grown->constant(0, 2)->plain_value, "1");
  }
}

TEST_F(GrowthTest, ANumericPartitionRefusesAnotherValueByName) {
  Write("p=1/a.parquet", 5);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto known, growth_.List(nullptr));
  Write("p=abc/a.parquet", 5);
  Growth other({dir_.path()}, std::nullopt, 1);
  for (Growth* growth : {&growth_, &other}) {
    EXPECT_THAT(growth->List(known),
                StatusIs(StatusCode::kInvalid,
                         "p=abc/a.parquet: the value 'abc' of the directories p=abc is "
                         "no int64"));
  }
}

TEST_F(GrowthTest, ATypeThatWasGivenTakesWhatAGuessDoesNot) {
  Write("p=10/a.parquet", 5);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto guessed, growth_.List(nullptr));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      const auto given,
      Catalog::WithPartitionTypes(guessed, {{"p", {DType::kInt32, true}}}));
  Write("p=01/a.parquet", 5);
  Growth other({dir_.path()}, std::nullopt, 1);
  EXPECT_THAT(other.List(guessed), StatusIs(StatusCode::kInvalid, "dtype='string'"));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto grown,
                               Growth({dir_.path()}, std::nullopt, 1).List(given));
  EXPECT_EQ(grown->constant(0, 2)->plain_value, std::string("\1\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(grown->partition_types(), given->partition_types());
}

TEST_F(GrowthTest, ThePartitionOfAnIncompleteFileMakesNoType) {
  Write("p=1/a.parquet", 5);
  WriteBytes(dir_.File("p=tmpabc/b.parquet"), "");
  WriteBytes(dir_.File("q=1/b.parquet"), "");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, growth_.List(nullptr));
  EXPECT_EQ(catalog->columns().size(), 3U);
  EXPECT_EQ(catalog->columns().back().dtype, DType::kInt64);
}

TEST_F(GrowthTest, APartitionWhoseLastDirectoryGoesIsNull) {
  Write("p=1/a.parquet", 5);
  Write("b.parquet", 5);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto known, growth_.List(nullptr));
  std::filesystem::remove_all(dir_.File("p=1"));
  Growth other({dir_.path()}, std::nullopt, 1);
  for (Growth* growth : {&growth_, &other}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto grown, growth->List(known));
    EXPECT_EQ(grown->constant(0, 2)->plain_value, std::nullopt);
  }
}

TEST_F(GrowthTest, IsCancelled) {
  Write("a.parquet", 5);
  EXPECT_THAT(growth_.List(nullptr, [] { return true; }),
              StatusIs(StatusCode::kCancelled, "cancelled"));
}

}  // namespace
}  // namespace rowfeed
