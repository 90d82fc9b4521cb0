// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the columns that say where rows come from.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "arrow/api.h"
#include "core/catalog/catalog.h"
#include "core/stream/batch_stream.h"
#include "core/stream/options/column_spec.h"
#include "core/stream/options/validate_stream.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

constexpr std::chrono::milliseconds kLong{20000};
constexpr std::array<int64_t, 3> kFileRows{130, 1, 70};
constexpr int64_t kGroupRows = 40;
constexpr int64_t kNumRows = 201;

struct Place {
  int32_t file;
  int32_t row_group;
  int64_t row;

  bool operator==(const Place&) const = default;
};

class ProvenanceTest : public ::testing::Test {
 protected:
  // Writes three files. Each column in `names` has the row's number within its file.
  void Write(const std::vector<std::string>& names) {
    for (size_t file = 0; file < kFileRows.size(); ++file) {
      testing::WriteParquet(directory_.File(std::to_string(file) + ".parquet"),
                            *testing::Int64Table(names, kFileRows[file]),
                            {.row_group_rows = kGroupRows});
    }
  }

  std::shared_ptr<const Catalog> Open(const std::vector<std::string>& columns) {
    auto catalog = Catalog::Open({directory_.path()}, columns, 2);
    EXPECT_THAT(catalog, testing::IsOk());
    return *catalog;
  }

  static StreamOptions Options(const Catalog& catalog,
                               const std::vector<std::string>& columns) {
    StreamOptions options;
    for (const std::string& name : columns) {
      options.columns.push_back(FindColumnSpec(catalog, name));
    }
    options.order.shuffle_window = 90;
    options.delivery.batch_size = 7;
    options.num_threads = 2;
    return options;
  }

  // Returns the batches of an iteration. They stay valid as long as the vector.
  static std::vector<Batch> ReadAll(const std::shared_ptr<const Catalog>& catalog,
                                    const StreamOptions& options) {
    EXPECT_THAT(ValidateStream(options, *catalog), testing::IsOk());
    const auto stream = BatchStream::Make(
        std::make_shared<Cursor>(std::make_shared<DatasetRows>(catalog, options), 0,
                                 options.num_threads, 1 << 26),
        options);
    std::vector<Batch> batches;
    Batch batch;
    while (true) {
      const auto pull = stream->Next(kLong, &batch);
      EXPECT_THAT(pull, testing::IsOk());
      if (!pull.ok() || *pull != BatchStream::Pull::kBatch) return batches;
      batches.push_back(batch);
    }
  }

  template <typename T>
  static T Value(const Batch& batch, size_t column, int64_t row) {
    return reinterpret_cast<const T*>(batch.parts[column].data)[row];
  }

  // Returns what the three columns from `first` on say: __file, __row_group, __row.
  static Place PlaceOf(const Batch& batch, size_t first, int64_t row) {
    return {Value<int32_t>(batch, first, row), Value<int32_t>(batch, first + 1, row),
            Value<int64_t>(batch, first + 2, row)};
  }

  testing::TempDir directory_;
};

TEST_F(ProvenanceTest, EachRowSaysWhereItLies) {
  Write({"id"});
  const auto catalog = Open({"id"});
  for (const bool shuffle : {false, true}) {
    for (const int64_t block_rows : {0, 9}) {
      for (const int64_t batches_per_arena : {1, 5}) {
        StreamOptions options =
            Options(*catalog, {"id", "__file", "__row_group", "__row"});
        options.order.shuffle = shuffle;
        options.order.block_rows = block_rows;
        options.order.num_lanes = 3;
        options.max_batches_per_arena = batches_per_arena;
        int64_t num_rows = 0;
        for (const Batch& batch : ReadAll(catalog, options)) {
          for (int64_t row = 0; row < batch.num_rows; ++row, ++num_rows) {
            const Place place = PlaceOf(batch, 1, row);
            EXPECT_EQ(Value<int64_t>(batch, 0, row),
                      place.row_group * kGroupRows + place.row);
            EXPECT_LT(Value<int64_t>(batch, 0, row), kFileRows[place.file]);
            EXPECT_LT(place.row, kGroupRows);
          }
        }
        EXPECT_EQ(num_rows, kNumRows);
      }
    }
  }
}

TEST_F(ProvenanceTest, FillRowsAreZeros) {
  Write({"id"});
  const auto catalog = Open({"id"});
  StreamOptions options = Options(*catalog, {"__file", "__row_group", "__row"});
  options.delivery = {64, 0, 1, Remainder::kPad};
  const Batch last = ReadAll(catalog, options).back();
  ASSERT_EQ(last.num_rows, 64);
  EXPECT_EQ(PlaceOf(last, 0, kNumRows % 64 - 1), (Place{2, 1, 29}));
  for (int64_t row = kNumRows % 64; row < 64; ++row) {
    EXPECT_EQ(last.valid[row], 0);
    EXPECT_EQ(PlaceOf(last, 0, row), (Place{0, 0, 0}));
  }
}

TEST_F(ProvenanceTest, AloneItNeedsNoFile) {
  Write({"id"});
  const auto catalog = Open({"__file", "__row_group", "__row"});
  EXPECT_TRUE(catalog->columns().empty());
  EXPECT_EQ(catalog->fingerprint(), Open({"id"})->fingerprint());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed, Catalog::Parse(catalog->Serialize()));
  for (const CatalogFile& file : catalog->files()) std::filesystem::remove(file.path);
  StreamOptions options = Options(*parsed, {"__row", "__file"});
  options.order.shuffle = true;
  int64_t num_rows = 0;
  for (const Batch& batch : ReadAll(parsed, options)) num_rows += batch.num_rows;
  EXPECT_EQ(num_rows, kNumRows);
}

TEST_F(ProvenanceTest, AColumnOfTheFilesComesFirst) {
  Write({"__row", "id"});
  const auto catalog = Open({"__row", "__file"});
  ASSERT_EQ(catalog->columns().size(), 1);
  const StreamOptions options = Options(*catalog, {"__row", "__file"});
  EXPECT_FALSE(options.columns[0].provenance.has_value());
  EXPECT_EQ(options.columns[1].provenance, Provenance::kFile);
  const Batch seventh = ReadAll(catalog, options)[6];
  EXPECT_EQ(Value<int64_t>(seventh, 0, 0), 42);  // row 2 of the second row group
}

TEST_F(ProvenanceTest, WhatASpecIsStaysWhereMoreColumnsAreSeen) {
  Write({"__row"});
  const auto narrow = Open({});
  const std::string bytes = Options(*narrow, {"__row"}).Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions options,
                               StreamOptions::Parse(bytes));
  EXPECT_EQ(options.Serialize(), bytes);
  const Batch seventh = ReadAll(Open({"__row"}), options)[6];
  EXPECT_EQ(Value<int64_t>(seventh, 0, 0), 2);
}

TEST_F(ProvenanceTest, AFillIsRefused) {
  Write({"id"});
  const auto catalog = Open({"id"});
  StreamOptions options = Options(*catalog, {"__row"});
  options.columns[0].fill = std::string(8, '\0');
  EXPECT_THAT(ValidateStream(options, *catalog),
              StatusIs(StatusCode::kInvalid,
                       "column '__row' says where rows come from "
                       "and has no nulls or lists: it takes a name only"));
}

TEST_F(ProvenanceTest, OtherNamesAreUnknownColumns) {
  Write({"id"});
  const auto catalog = Open({"id"});
  EXPECT_THAT(ValidateStream(Options(*catalog, {"__rows"}), *catalog),
              StatusIs(StatusCode::kKey, "'__rows'"));
  EXPECT_THAT(Catalog::Open({directory_.path()}, std::vector<std::string>{"__rows"}, 1),
              StatusIs(StatusCode::kKey, "'__rows'"));
}

}  // namespace
}  // namespace rowfeed
