// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/chunk/string_encoding.h"

#include <memory>
#include <string>
#include <vector>

#include "core/decode/values/conversion.h"
#include "core/decode/values/make_conversion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "parquet/types.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;

TEST(VocabularyTest, FindsEachStringAtItsPlace) {
  std::vector<std::string> strings = {"", std::string(1, '\0'), "a", "A", "\xff"};
  for (int i = 0; i < 10000; ++i) strings.push_back(std::to_string(i));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto vocabulary, Vocabulary::Make(strings, {}));
  EXPECT_EQ(vocabulary->size(), std::ssize(strings));
  for (int64_t i = 0; i < vocabulary->size(); ++i) {
    EXPECT_EQ((*vocabulary)[i], strings[i]);
    EXPECT_EQ(vocabulary->Find(strings[i]), i);
  }
  for (const char* other : {"b", "10000", "00", "aA"}) {
    EXPECT_EQ(vocabulary->Find(other), -1);
  }
}

TEST(VocabularyTest, IsOfDifferentStrings) {
  EXPECT_THAT(Vocabulary::Make({"a", "b", "", "b"}, {}),
              StatusIs(StatusCode::kInvalid, "the same string at positions 1 and 3"));
  EXPECT_THAT(Vocabulary::Make({}, 0), StatusIs(StatusCode::kInvalid, "not 0 of 0"));
  EXPECT_THAT(Vocabulary::Make({std::string(Vocabulary::kMaxBytes + 1, 'a')}, 0),
              StatusIs(StatusCode::kInvalid, "not 1 of 268435457"));
}

TEST(HashBucketTest, IsXxh64) {
  constexpr int64_t kBuckets = int64_t{1} << 62;
  const auto expected = [](uint64_t hash) {
    return static_cast<int64_t>(hash % kBuckets);
  };
  EXPECT_EQ(HashBucket("", kBuckets), expected(0xef46db3751d8e999));
  EXPECT_EQ(HashBucket("a", kBuckets), expected(0xd24ec4f1a98c6e5b));
  EXPECT_EQ(HashBucket("abc", kBuckets), expected(0x44bc2cf5ad770999));
  EXPECT_EQ(HashBucket("The quick brown fox jumps over the lazy dog", kBuckets),
            expected(0x0b242d361fda71bc));
  EXPECT_EQ(HashBucket("abc", 10), static_cast<int64_t>(0x44bc2cf5ad770999 % 10));
  EXPECT_EQ(HashBucket("abc", 1), 0);
}

class StringConversionTest : public ::testing::Test {
 protected:
  StringConversionTest() {
    source_.dtype = DType::kString;
    source_.logical_type = "string";
    source_.storage.physical = ColumnStorage::kByteArray;
  }

  Result<std::shared_ptr<const Conversion>> Make(const StringEncoding& encoding,
                                                 DType to) {
    Column wanted = source_;
    wanted.dtype = to;
    return MakeConversion(source_, source_.storage, wanted, encoding);
  }

  StringEncoding Cities(std::optional<int64_t> unknown) {
    return {*Vocabulary::Make({"Bern", "Oslo"}, unknown), 0};
  }

  Column source_;
};

TEST_F(StringConversionTest, LooksUp) {
  const parquet::ByteArray values[] = {parquet::ByteArray{"Oslo"},
                                       parquet::ByteArray{"\xc3\xa9'\n"},
                                       parquet::ByteArray{"Bern"}};
  const auto* bytes = reinterpret_cast<const uint8_t*>(values);
  int8_t indices[3];
  auto* elements = reinterpret_cast<uint8_t*>(indices);
  ROWFEED_ASSERT_OK_AND_ASSIGN(auto conversion, Make(Cities(-1), DType::kInt8));
  EXPECT_EQ(conversion->Convert(bytes, 3, elements), 3);
  EXPECT_THAT(indices, ElementsAre(1, -1, 0));
  ROWFEED_ASSERT_OK_AND_ASSIGN(conversion, Make(Cities({}), DType::kInt8));
  EXPECT_THAT(ConvertAll(*conversion, bytes, 3, elements), ElementsAre(1));
  EXPECT_EQ(conversion->Refusal(bytes + sizeof(values[0])),
            "b'\\xc3\\xa9\\x27\\x0a' is not among the 2 values of the vocabulary, "
            "which has no index for unknown ones");
}

TEST_F(StringConversionTest, IndicesBeginAtTheFirst) {
  const parquet::ByteArray values[] = {parquet::ByteArray{"Oslo"},
                                       parquet::ByteArray{"Rome"},
                                       parquet::ByteArray{"Bern"}};
  int8_t indices[3];
  const StringEncoding encoding{*Vocabulary::Make({"Bern", "Oslo"}, 1, 2), 0};
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto conversion, Make(encoding, DType::kInt8));
  EXPECT_EQ(conversion->Convert(reinterpret_cast<const uint8_t*>(values), 3,
                                reinterpret_cast<uint8_t*>(indices)),
            3);
  EXPECT_THAT(indices, ElementsAre(3, 1, 2));
  const StringEncoding large{*Vocabulary::Make({"Bern", "Oslo"}, {}, 127), 0};
  EXPECT_THAT(Make(large, DType::kInt8),
              StatusIs(StatusCode::kInvalid, "from 127 to 128"));
}

TEST_F(StringConversionTest, RefusesWhatMakesNoSense) {
  const auto invalid = [](const std::string& message) {
    return StatusIs(StatusCode::kInvalid, message);
  };
  EXPECT_THAT(Make(Cities(-1), DType::kUInt8),
              invalid("integers from -1 to 1, which strings are encoded as, do not fit "
                      "in uint8"));
  EXPECT_THAT(Make(Cities(300), DType::kInt8), invalid("from 0 to 300"));
  EXPECT_THAT(Make({nullptr, 257}, DType::kUInt8), invalid("from 0 to 256"));
  EXPECT_THAT(Make({nullptr, 256}, DType::kUInt8), testing::IsOk());
  EXPECT_THAT(Make({nullptr, 2}, DType::kFloat32), invalid("integers, not float32"));
  EXPECT_THAT(Make({nullptr, 2}, DType::kString), invalid("integers, not string"));
  source_.dtype = DType::kInt32;
  source_.logical_type = "int32";
  EXPECT_THAT(Make({nullptr, 2}, DType::kInt64),
              invalid("strings and binaries can be encoded, not int32"));
}

}  // namespace
}  // namespace rowfeed
