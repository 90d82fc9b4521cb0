// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/mended_footer.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/table.h"
#include "core/arrow_status.h"
#include "core/arrow_version.h"
#include "parquet/properties.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::Int64Table;
using rowfeed::testing::ParquetBytes;

std::string FooterOf(const std::string& file) {
  const auto* end = reinterpret_cast<const uint8_t*>(file.data() + file.size());
  const int64_t size = end[-8] | end[-7] << 8 | end[-6] << 16;
  return file.substr(file.size() - 8 - size, size);
}

std::string Footer() { return FooterOf(ParquetBytes(*Int64Table({"x", "y"}, 3))); }

// Puts the converted type 99 (field 6, after the name) into the column `name`, which
// has no annotation of its own.
std::string WithUnknownType(std::string footer, char name) {
  const std::string element = std::string("\x18\x01") + name;
  const size_t place = footer.find(element);
  return footer.insert(place + element.size(), "\x25\xc6\x01");
}

bool Parses(const std::string& footer) {
  return CatchParquet([&]() -> Status {
           ParseFooter(reinterpret_cast<const uint8_t*>(footer.data()),
                       static_cast<int64_t>(footer.size()),
                       parquet::default_reader_properties());
           return {};
         })
      .ok();
}

TEST(MendedFooterTest, ASoundFooterIsLeftAlone) { EXPECT_FALSE(MendFooter(Footer())); }

TEST(MendedFooterTest, ARefusedTypeIsLeftOutAndNothingElseChanges) {
  for (const char name : {'x', 'y'}) {
    const std::string footer = WithUnknownType(Footer(), name);
    ASSERT_FALSE(Parses(footer));
    const auto mended = MendFooter(footer);
    ASSERT_TRUE(mended);
    EXPECT_EQ(mended->bytes, Footer());
    ASSERT_EQ(mended->refused.size(), 1u);
    EXPECT_EQ(mended->refused[0].begin, name - 'x');
    EXPECT_EQ(mended->refused[0].end, name - 'x' + 1);
    EXPECT_FALSE(mended->refused[0].why.empty());
  }
}

// A struct without fields is a group without children. It is no column.
TEST(MendedFooterTest, AGroupWithoutChildrenIsNotCountedAsAColumn) {
  std::string footer = WithUnknownType(Footer(), 'x');
  const std::string name = "schema";
  // The root has two children.
  const size_t children = footer.find(name) + name.size();
  ASSERT_EQ(footer.substr(children, 3), std::string("\x15\x04\x00", 3));
  // The group has a repetition (field 3), a name (field 4) and no children (field 5).
  footer.insert(children + 3, std::string("\x35\x02\x18\x01g\x15\x00\x00", 8));
  footer[children + 1] = '\x06';
  const size_t list = footer.find('\x3c');  // a list of three structs
  ASSERT_LT(list, children);
  footer[list] = '\x4c';
  const auto mended = MendFooter(footer);
  ASSERT_TRUE(mended);
  ASSERT_EQ(mended->refused.size(), 1u);
  EXPECT_EQ(mended->refused[0].begin, 0);
  EXPECT_EQ(mended->refused[0].end, 1);
}

TEST(MendedFooterTest, DamagedBytesAreNeverMadeWorse) {
  const std::string footer = WithUnknownType(Footer(), 'x');
  for (size_t size = 0; size < footer.size(); ++size) {
    MendFooter(std::string_view(footer).substr(0, size));
  }
  for (size_t place = 0; place < footer.size(); ++place) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = footer;
      damaged[place] = static_cast<char>(damaged[place] ^ (1 << bit));
      const auto mended = MendFooter(damaged);
      EXPECT_FALSE(mended && Parses(damaged)) << place << ", bit " << bit;
    }
  }
}

}  // namespace
}  // namespace rowfeed
