// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/api.h"
#include "core/stream/batch_stream.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/validate_stream.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/text_at.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using std::chrono::milliseconds;

constexpr milliseconds kLong{20000};
constexpr int64_t kFirstId = 1000;  // the ids of source s begin at (s + 1) * kFirstId

// Makes rows with an `id` from `first` on, and a `text` that says the id.
std::shared_ptr<arrow::Table> MakeTable(int64_t first, int64_t rows) {
  arrow::Int64Builder ids;
  arrow::StringBuilder texts;
  for (int64_t id = first; id < first + rows; ++id) {
    EXPECT_TRUE(ids.Append(id).ok());
    EXPECT_TRUE(texts.Append(std::string("row ").append(std::to_string(id))).ok());
  }
  const auto schema = arrow::schema(
      {arrow::field("id", arrow::int64()), arrow::field("text", arrow::utf8())});
  return arrow::Table::Make(schema, {*ids.Finish(), *texts.Finish()});
}

class MixtureStreamTest : public ::testing::Test {
 protected:
  void Mix(const std::vector<int64_t>& source_rows, std::vector<int64_t> rounds,
           StopRule stop) {
    auto mixture = std::make_shared<MixtureOptions>();
    for (size_t s = 0; s < source_rows.size(); ++s) {
      const std::string path = directory_.path() + "/" + std::to_string(s) + ".parquet";
      const auto first = static_cast<int64_t>(s + 1) * kFirstId;
      testing::WriteParquet(path, *MakeTable(first, source_rows[s]),
                            {.row_group_rows = 20});
      auto catalog = Catalog::Open({path}, std::nullopt, 2);
      ROWFEED_ASSERT_OK(catalog);
      catalogs_.push_back(*catalog);
      StreamOptions source;
      source.columns = {{"id", {}}, {"text", {}}};
      source.order.shuffle = true;
      source.order.shuffle_window = 80;
      source.order.num_lanes = 2;
      mixture->sources.push_back(source);
    }
    mixture->stop = stop;
    mixture->weights = {{0, std::move(rounds)}};
    options_ = mixture->sources[0];
    options_.mixture = mixture;
    options_.delivery.batch_size = 10;
    options_.num_threads = 4;
    ROWFEED_ASSERT_OK(ValidateStream(options_, catalogs_));
  }

  SourceRows Sources() const {
    SourceRows sources;
    for (size_t i = 0; i < catalogs_.size(); ++i) {
      sources.push_back(
          std::make_shared<DatasetRows>(catalogs_[i], options_.source(i)));
    }
    return sources;
  }

  int64_t NumRows(int64_t epoch) const {
    return *NumRowsIn(options_, Sources(), epoch);
  }

  std::vector<EpochRows> Rows() const {
    std::vector<EpochRows> rows;
    for (const auto& source : Sources()) rows.push_back(*source->Get());
    return rows;
  }

  std::unique_ptr<BatchStream> Stream() {
    auto cursor = std::make_shared<Cursor>(Sources(), 0, options_.num_threads, 1 << 26);
    return BatchStream::Make(std::move(cursor), options_);
  }

  static std::vector<int64_t> Ids(const Batch& batch) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    const BatchPart& text = batch.parts[1];
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      EXPECT_EQ(testing::TextAt(text, row),
                std::string("row ").append(std::to_string(ids[row])));
    }
    return {ids, ids + batch.num_rows};
  }

  static std::vector<int64_t> ReadAll(BatchStream* stream, int* num_errors = nullptr) {
    std::vector<int64_t> rows;
    Batch batch;
    while (true) {
      auto pull = stream->Next(kLong, &batch);
      if (!pull.ok() && num_errors != nullptr) {
        EXPECT_THAT(pull, StatusIs(StatusCode::kCorrupt, "1.parquet"));
        ++*num_errors;
        continue;
      }
      EXPECT_THAT(pull, testing::IsOk());
      if (!pull.ok() || *pull != BatchStream::Pull::kBatch) return rows;
      const std::vector<int64_t> ids = Ids(batch);
      rows.insert(rows.end(), ids.begin(), ids.end());
    }
  }

  testing::TempDir directory_;
  Catalogs catalogs_;
  StreamOptions options_;
};

TEST_F(MixtureStreamTest, InlineStringsDoNotChangeTheRows) {
  Mix({501, 320, 33}, {20, 12, 1}, StopRule::kAllExhausted);
  const std::vector<int64_t> rows = ReadAll(Stream().get());
  options_.inline_strings = true;
  EXPECT_EQ(ReadAll(Stream().get()), rows);
  Batch batch;
  EXPECT_THAT(Stream()->Next(kLong, &batch), testing::IsOk());
  EXPECT_NE(batch.parts[1].strings, nullptr);
}

TEST_F(MixtureStreamTest, ThreadsBudgetsAndArenasDoNotChangeTheRows) {
  Mix({501, 320, 33}, {20, 12, 1}, StopRule::kAllExhausted);
  const std::vector<int64_t> rows = ReadAll(Stream().get());
  EXPECT_EQ(std::ssize(rows), NumRows(0));
  for (size_t k = 0; k < rows.size(); ++k) {
    const RoundTable table(options_.mixture->weights[0].rounds);
    EXPECT_EQ(rows[k] / kFirstId - 1, table.SourceOf(static_cast<int64_t>(k) / 2));
  }
  for (const int threads : {1, 4}) {
    for (const int64_t budget : {int64_t{1}, int64_t{0}, int64_t{1} << 30}) {
      for (const int64_t batches_per_arena : {1, 7}) {
        options_.num_threads = threads;
        options_.memory_budget_bytes = budget;
        options_.max_batches_per_arena = batches_per_arena;
        EXPECT_EQ(ReadAll(Stream().get()), rows);
      }
    }
  }
}

TEST_F(MixtureStreamTest, GoesOnFromAnyBatchAndSkipsAny) {
  Mix({201, 120}, {2, 1}, StopRule::kFirstExhausted);
  options_.num_epochs = 2;
  const std::vector<int64_t> rows = ReadAll(Stream().get());
  auto stream = Stream();
  Batch batch;
  int64_t num_batches = 0;
  for (auto taken = rows.begin(); taken != rows.end(); taken += batch.num_rows) {
    auto again = Stream();
    ROWFEED_ASSERT_OK(again->Restore(stream->progress()));
    const std::vector<int64_t> rest(taken, rows.end());
    EXPECT_EQ(ReadAll(again.get()), rest);
    auto skipped = Stream();
    ROWFEED_ASSERT_OK(skipped->Next(kLong, &batch));
    if (num_batches > 0) {
      EXPECT_EQ(*skipped->Skip(num_batches - 1), num_batches - 1);
      EXPECT_EQ(ReadAll(skipped.get()), rest);
    }
    ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
    ++num_batches;
  }
  EXPECT_GT(num_batches, 40);
}

TEST_F(MixtureStreamTest, AnErrorHitsTheBatchesOfItsSourceAndNamesIt) {
  Mix({400, 20}, {20, 1}, StopRule::kFirstExhausted);
  testing::WriteParquet(directory_.path() + "/1.parquet", *MakeTable(1, 30));
  options_.order.shuffle = false;
  int num_errors = 0;
  const std::vector<int64_t> rows = ReadAll(Stream().get(), &num_errors);
  EXPECT_EQ(num_errors, 10);  // the 20 rows of source 1, 2 in each batch
  EXPECT_EQ(std::ssize(rows), NumRows(0) - int64_t{10} * num_errors);
}

TEST_F(MixtureStreamTest, ClosesPromptlyFromAnyState) {
  Mix({400, 300}, {1, 1}, StopRule::kEndless);
  for (int pulls = 0; pulls < 40; ++pulls) {
    auto stream = Stream();
    Batch batch;
    for (int i = 0; i < pulls; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  }
}

TEST_F(MixtureStreamTest, OptionsSurviveBytes) {
  Mix({40, 30}, {3, 1}, StopRule::kEndless);
  const std::string bytes = options_.Serialize();
  const Result<StreamOptions> parsed = StreamOptions::Parse(bytes);
  ROWFEED_ASSERT_OK(parsed);
  EXPECT_EQ(parsed->Serialize(), bytes);
  EXPECT_EQ(parsed->mixture->RoundsIn(9), (std::vector<int64_t>{3, 1}));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(StreamOptions::Parse(bytes.substr(0, size)).ok());
  }
}

TEST_F(MixtureStreamTest, RefusesASourceThatIsAMixture) {
  Mix({40, 30}, {3, 1}, StopRule::kEndless);
  auto nested = std::make_shared<MixtureOptions>(*options_.mixture);
  nested->sources[0] = options_;
  options_.mixture = nested;
  EXPECT_FALSE(StreamOptions::Parse(options_.Serialize()).ok());
  EXPECT_THAT(ValidateStream(options_, catalogs_),
              StatusIs(StatusCode::kInvalid, "mixture"));
}

TEST_F(MixtureStreamTest, TheRowsOfAnEpochFollowItsWeights) {
  Mix({100, 100}, {1, 1}, StopRule::kFirstExhausted);
  auto scheduled = std::make_shared<MixtureOptions>(*options_.mixture);
  scheduled->weights.push_back({2, {3, 1}});
  options_.mixture = scheduled;
  EXPECT_EQ(NumRows(1), 200);
  EXPECT_EQ(NumRows(2), PlanEpoch(options_, Rows(), 7)->num_rows());
  EXPECT_LT(NumRows(2), 140);
  options_.pinned_epoch = 0;
  EXPECT_EQ(NumRows(2), 200);
}

}  // namespace
}  // namespace rowfeed
