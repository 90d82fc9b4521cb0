// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/take/row_taker.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "arrow/api.h"
#include "core/catalog/catalog.h"
#include "parquet/properties.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

constexpr int64_t kFileRows = 60000;
constexpr int64_t kNumFiles = 2;
constexpr int64_t kNumRows = kFileRows * kNumFiles;

class RowTakerTest : public ::testing::TestWithParam<bool> {
 protected:
  // Writes files whose rows have their number in the file: in x as int64, in s as text.
  void SetUp() override {
    const auto numbers = testing::Int64Table({"x"}, kFileRows)->column(0);
    arrow::StringBuilder builder;
    for (int64_t i = 0; i < kFileRows; ++i) {
      ASSERT_TRUE(builder.Append(std::to_string(i)).ok());
    }
    const auto strings =
        std::make_shared<arrow::ChunkedArray>(builder.Finish().ValueOrDie());
    const auto table =
        arrow::Table::Make(arrow::schema({arrow::field("x", arrow::int64()),
                                          arrow::field("s", arrow::utf8())}),
                           {numbers, strings});
    parquet::WriterProperties::Builder properties;
    properties.disable_dictionary()->data_pagesize(20000)->write_batch_size(100);
    if (GetParam()) properties.enable_write_page_index();
    for (int64_t file = 0; file < kNumFiles; ++file) {
      testing::WriteParquet(
          directory_.File(std::to_string(file) + ".parquet"), *table,
          {.row_group_rows = 50000, .properties = properties.build()});
    }
    auto catalog = Catalog::Open({directory_.path()}, std::nullopt, 2);
    ASSERT_THAT(catalog, testing::IsOk());
    catalog_ = *catalog;
  }

  std::unique_ptr<RowTaker> Make(const std::vector<std::string>& names,
                                 int64_t budget) {
    std::vector<ColumnSpec> columns;
    for (const std::string& name : names) {
      columns.push_back(FindColumnSpec(*catalog_, name));
    }
    auto taker = RowTaker::Make(catalog_, std::move(columns), 2, budget);
    EXPECT_THAT(taker, testing::IsOk());
    return *std::move(taker);
  }

  static std::vector<int64_t> Numbers(const Batch& batch) {
    const auto* values = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    return {values, values + batch.num_rows};
  }

  static std::vector<std::string> Strings(const Batch& batch, size_t part) {
    const BatchPart& strings = batch.parts[part];
    std::vector<std::string> result;
    for (int64_t i = 0; i < batch.num_rows; ++i) {
      result.emplace_back(strings.data + strings.offsets[i],
                          strings.data + strings.offsets[i + 1]);
    }
    return result;
  }

  // Returns rows of all files, in no order. The first one comes twice.
  static std::vector<int64_t> SomeRows(int64_t count, int64_t step) {
    std::vector<int64_t> rows;
    for (int64_t i = 0; i < count; ++i) rows.push_back(i * step % kNumRows);
    rows.push_back(rows.front());
    return rows;
  }

  static void ExpectRows(const Result<Batch>& batch, const std::vector<int64_t>& rows) {
    ASSERT_THAT(batch, testing::IsOk());
    std::vector<int64_t> numbers;
    std::vector<std::string> strings;
    for (const int64_t row : rows) {
      numbers.push_back(row % kFileRows);
      strings.push_back(std::to_string(row % kFileRows));
    }
    EXPECT_TRUE(Numbers(*batch) == numbers);
    EXPECT_TRUE(Strings(*batch, 1) == strings);
  }

  testing::TempDir directory_;
  std::shared_ptr<const Catalog> catalog_;
};

TEST_P(RowTakerTest, TakesRowsInTheOrderAskedFor) {
  for (const int64_t budget : {1, 200000, 1 << 26}) {
    SCOPED_TRACE(budget);
    const auto taker = Make({"x", "s"}, budget);
    for (const int64_t step : {1, 99991, 7919}) {
      const std::vector<int64_t> rows = SomeRows(300, step);
      ExpectRows(taker->Take(rows), rows);
      EXPECT_LE(taker->bytes_kept(), budget);
    }
  }
}

TEST_P(RowTakerTest, TakesAllRowsAndNone) {
  const auto taker = Make({"x", "s"}, 1 << 26);
  std::vector<int64_t> rows(kNumRows);
  std::iota(rows.begin(), rows.end(), 0);
  ExpectRows(taker->Take(rows), rows);
  ExpectRows(taker->Take({}), {});
}

TEST_P(RowTakerTest, SaysWhereRowsComeFrom) {
  const auto taker = Make({"__row"}, 1 << 20);
  const auto batch = taker->Take({55000, 3, kFileRows + 50001});
  ASSERT_THAT(batch, testing::IsOk());
  EXPECT_EQ(Numbers(*batch), (std::vector<int64_t>{5000, 3, 1}));
}

TEST_P(RowTakerTest, BatchesOutliveTheTaker) {
  auto taker = Make({"x", "s"}, 1 << 26);
  const std::vector<int64_t> rows = SomeRows(100, 977);
  const auto batch = taker->Take(rows);
  taker.reset();
  ExpectRows(batch, rows);
}

TEST_P(RowTakerTest, RowsThatAreNotThereAreNamed) {
  const auto taker = Make({"x"}, 1 << 20);
  for (const int64_t row : {int64_t{-1}, kNumRows}) {
    EXPECT_THAT(taker->Take({0, row}),
                StatusIs(StatusCode::kInvalid, "row " + std::to_string(row)));
  }
}

TEST_P(RowTakerTest, ThreadsTakeAtOnce) {
  const auto taker = Make({"x", "s"}, 500000);
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int64_t k = 1; k < 10; ++k) {
        const std::vector<int64_t> rows = SomeRows(50, 7919 * k + i);
        ExpectRows(taker->Take(rows), rows);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(RowTakerTest, AForkedChildStartsAnew) {
  const auto taker = Make({"x", "s"}, 1 << 26);
  const std::vector<int64_t> rows = SomeRows(100, 977);
  ExpectRows(taker->Take(rows), rows);
  const pid_t child = fork();
  if (child == 0) {
    const auto batch = taker->Take({5, 100000});
    const bool ok = batch.ok() && Numbers(*batch) == std::vector<int64_t>{5, 40000};
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_P(RowTakerTest, ADamagedPageIsNamedAndOthersAreRead) {
  const ColumnChunk& chunk = catalog_->chunk(0, 0);
  const std::string path = catalog_->files()[0].path;
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  std::fseek(file, chunk.offset + chunk.size / 2, SEEK_SET);
  const std::string damage(30000, '\xff');
  std::fwrite(damage.data(), 1, damage.size(), file);
  std::fclose(file);
  auto catalog = Catalog::Open({directory_.path()}, std::nullopt, 2);
  ASSERT_THAT(catalog, testing::IsOk());
  catalog_ = *catalog;
  const auto taker = Make({"x"}, 1 << 26);
  EXPECT_THAT(taker->Take({25000}),
              StatusIs(StatusCode::kCorrupt, "0.parquet, row group 0, column 'x'"));
  EXPECT_THAT(taker->Take({50000, kNumRows - 1}), testing::IsOk());
}

TEST_P(RowTakerTest, OptionsAreChecked) {
  const ColumnSpec spec = FindColumnSpec(*catalog_, "x");
  EXPECT_THAT(RowTaker::Make(catalog_, {spec}, 0, 1),
              StatusIs(StatusCode::kInvalid, "num_threads"));
  EXPECT_THAT(RowTaker::Make(catalog_, {spec}, 1, 0),
              StatusIs(StatusCode::kInvalid, "memory_budget_bytes"));
  EXPECT_THAT(RowTaker::Make(catalog_, {FindColumnSpec(*catalog_, "none")}, 1, 1),
              StatusIs(StatusCode::kKey, "none"));
}

INSTANTIATE_TEST_SUITE_P(PageIndex, RowTakerTest, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "With" : "Without";
                         });

}  // namespace
}  // namespace rowfeed
