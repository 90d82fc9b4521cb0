// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/glob.h"

#include <string>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

TEST(GlobTest, Stars) {
  EXPECT_TRUE(MatchGlob("*", ""));
  EXPECT_TRUE(MatchGlob("*.parquet", "a.parquet"));
  EXPECT_TRUE(MatchGlob("a*b*c", "abbcbc"));
  EXPECT_TRUE(MatchGlob("**", "x"));
  EXPECT_FALSE(MatchGlob("a*b*c", "abbcb"));
  EXPECT_FALSE(MatchGlob("*.parquet", "a.parquet.tmp"));
  EXPECT_FALSE(MatchGlob("", "a"));
  EXPECT_FALSE(MatchGlob("a", ""));
  EXPECT_TRUE(MatchGlob("", ""));
}

TEST(GlobTest, QuestionMarksTakeOneCharacter) {
  EXPECT_TRUE(MatchGlob("a?c", "abc"));
  EXPECT_FALSE(MatchGlob("a?c", "ac"));
  EXPECT_TRUE(MatchGlob("?", "\xC3\xA9"));          // é
  EXPECT_TRUE(MatchGlob("?", "\xF0\x9F\x8E\x89"));  // beyond 16 bits
  EXPECT_FALSE(MatchGlob("??", "\xC3\xA9"));
  EXPECT_TRUE(MatchGlob("*?b",
                        "\xC3\xA9"
                        "b"));
}

TEST(GlobTest, NamesThatAreNotUtf8MatchByByte) {
  EXPECT_TRUE(MatchGlob("a?b",
                        "a\xFF"
                        "b"));
  EXPECT_TRUE(MatchGlob("??", "\xFF\xFE"));
  EXPECT_TRUE(MatchGlob("?", "\xC3"));
  EXPECT_TRUE(MatchGlob("\xFF*",
                        "\xFF"
                        "x"));
  EXPECT_FALSE(MatchGlob("\xFE*",
                         "\xFF"
                         "x"));
}

TEST(GlobTest, Sets) {
  EXPECT_TRUE(MatchGlob("[abc]", "b"));
  EXPECT_FALSE(MatchGlob("[abc]", "d"));
  EXPECT_TRUE(MatchGlob("part-[0-9][0-9]", "part-07"));
  EXPECT_FALSE(MatchGlob("part-[0-9]", "part-x"));
  EXPECT_TRUE(MatchGlob("[!0-9]", "x"));
  EXPECT_FALSE(MatchGlob("[!0-9]", "7"));
  EXPECT_TRUE(MatchGlob("[]]", "]"));
  EXPECT_TRUE(MatchGlob("[!]]", "x"));
  EXPECT_TRUE(MatchGlob("[a-]", "-"));
  EXPECT_TRUE(MatchGlob("[*]", "*"));
  EXPECT_FALSE(MatchGlob("[*]", "x"));
  EXPECT_TRUE(MatchGlob("[\xC3\xA0-\xC3\xBF]", "\xC3\xA9"));  // à to ÿ
}

TEST(GlobTest, ABracketWithoutItsPartnerIsItself) {
  EXPECT_TRUE(MatchGlob("[", "["));
  EXPECT_TRUE(MatchGlob("[!", "[!"));
  EXPECT_TRUE(MatchGlob("a[b", "a[b"));
  EXPECT_FALSE(MatchGlob("a[b", "ab"));
  EXPECT_TRUE(MatchGlob("[]", "[]"));
}

TEST(GlobTest, ManyStarsTakeNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  EXPECT_FALSE(MatchGlob(pattern + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace rowfeed
