// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/printable.h"

#include <string>
#include <utility>
#include <vector>

#include "core/status.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

using std::string_literals::operator""s;

TEST(PrintableTest, KeepsTextOfAllLanguages) {
  for (const std::string& text :
       {""s, "a column"s, "Straße"s, "列"s, "🎈 and \\n"s, "\u00a0\u0400\uffff"s}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(PrintableTest, EscapesWhatATerminalObeys) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"two\nlines", "two\\nlines"},
      {"\r\t", "\\r\\t"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {"a\0b"s, "a\\x00b"},
      {"\x7f", "\\x7f"},
      {"ü\u0085ü", "ü\\x85ü"},
      {"a\u2028b\u2029", "a\\u2028b\\u2029"},
      {"\u202egnp.exe", "\\u202egnp.exe"},
      {"\u2066", "\\u2066"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(Printable(text), expected);
}

TEST(PrintableTest, EscapesBytesThatAreNotUtf8) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"caf\xe9", "caf\\xe9"},
      {"\xff", "\\xff"},
      {"\xc0\x80", "\\xc0\\x80"},                    // NUL, encoded in too many bytes
      {"\xe0\x80\x80", "\\xe0\\x80\\x80"},           // the same, in three bytes
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond the last code point
      {"\xe5\x88", "\\xe5\\x88"},                    // cut off
      {"\xe5 b", "\\xe5 b"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(Printable(text), expected);
}

TEST(StatusTest, NamesInMessagesArePrintable) {
  const std::string name = "a\nb\x1b\xff";
  const std::string shown = "a\\nb\\x1b\\xff";
  EXPECT_EQ(Status::Invalid("column '", name, "'").message(), "column '" + shown + "'");
  EXPECT_EQ(Status::Invalid("it").WithContext(name).message(), shown + ": it");
  // A text that is printable already is not escaped again.
  EXPECT_EQ(Status::Invalid(Status::Invalid(name).message()).message(), shown);
  EXPECT_EQ(Status::OfLines(StatusCode::kInvalid, {"2 problems:", shown}).message(),
            "2 problems:\n  " + shown);
}

}  // namespace
}  // namespace rowfeed
