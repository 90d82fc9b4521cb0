// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/parquet_name.h"

#include <gtest/gtest.h>

namespace rowfeed {
namespace {

TEST(ParquetNameTest, AnEndingOfParquetIsTakenInEitherCase) {
  for (const char* name : {"a.parquet", "a.PARQUET", "a.snappy.Parq", "a.pq"}) {
    EXPECT_TRUE(IsParquetName(name)) << name;
    EXPECT_FALSE(IsNearlyParquetName(name)) << name;
  }
}

TEST(ParquetNameTest, AnEndingWithinTheNameIsNearlyParquet) {
  for (const char* name :
       {"a.parquet.gzip", "a.parquet.gz", "a.parquet.snappy", "a.PARQUET.ZSTD",
        "a.parquet_1", "a.parquet-2", "a.parquet (1)", "a.parquet~", "a.parquet.bak",
        "a.parquet.part", "a.pq.0", "a.parq.lz4"}) {
    EXPECT_TRUE(IsNearlyParquetName(name)) << name;
    EXPECT_FALSE(IsParquetName(name)) << name;
  }
}

TEST(ParquetNameTest, ANumberWithoutAnEndingIsNearlyParquet) {
  for (const char* name : {"000000_0", "part-00000", "20261128_120000_00042_abcde"}) {
    EXPECT_TRUE(IsNearlyParquetName(name)) << name;
    EXPECT_FALSE(IsParquetName(name)) << name;
  }
}

TEST(ParquetNameTest, WhatLiesBesideAFileIsNotMeantAsOne) {
  for (const char* name :
       {"a.parquet.crc", "a.parquet.json", "a.parquet.md5", "a.parquet.LOCK", "a.csv",
        "parquet", "_parquet.gz", ".parquet.gz", "a.parquets", "a.pqr", "_SUCCESS",
        "_committed_123", "README", "LICENSE", "README.md", "a.parquetfiles.txt"}) {
    EXPECT_FALSE(IsNearlyParquetName(name)) << name;
    EXPECT_FALSE(IsParquetName(name)) << name;
  }
}

}  // namespace
}  // namespace rowfeed
