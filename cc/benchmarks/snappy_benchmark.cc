// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Decompresses pages of 100,000 int64, or of text of the same size. For comparison,
// Arrow's Snappy does the same. One item is 8 bytes.

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "arrow/util/compression.h"
#include "benchmark/benchmark.h"
#include "core/decode/pages/snappy.h"

namespace rowfeed {
namespace {

constexpr int64_t kItems = 100'000;

struct Page {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> stream;
};

Page MakePage(const std::function<int64_t(int64_t)>& item) {
  Page page;
  page.bytes.resize(kItems * sizeof(int64_t));
  for (int64_t i = 0; i < kItems; ++i) {
    const int64_t value = item(i);
    std::memcpy(page.bytes.data() + i * sizeof(value), &value, sizeof(value));
  }
  const auto codec =
      arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
  const auto size = static_cast<int64_t>(page.bytes.size());
  page.stream.resize(codec->MaxCompressedLen(size, page.bytes.data()));
  page.stream.resize(
      codec->Compress(size, page.bytes.data(), page.stream.size(), page.stream.data())
          .ValueOrDie());
  return page;
}

void Decompress(benchmark::State& state, Page page) {
  for (auto _ : state) {
    const Status status = DecompressSnappy(page.stream, page.bytes);
    if (!status.ok()) state.SkipWithError(status.message().c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

void DecompressWithArrow(benchmark::State& state, Page page) {
  const auto codec =
      arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
  for (auto _ : state) {
    const auto size = codec->Decompress(page.stream.size(), page.stream.data(),
                                        page.bytes.size(), page.bytes.data());
    if (!size.ok()) state.SkipWithError(size.status().ToString().c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

void Register(const std::string& name, const std::function<int64_t(int64_t)>& item) {
  const Page page = MakePage(item);
  benchmark::RegisterBenchmark(("decode/" + name).c_str(), Decompress, page);
  benchmark::RegisterBenchmark(("arrow/" + name).c_str(), DecompressWithArrow, page);
}

[[maybe_unused]] const bool kRegistered = [] {
  std::mt19937_64 random(5);
  Register("snappy of random numbers", [&](int64_t) { return random() % 10'000'000; });
  int64_t time = 1'700'000'000'000'000;
  Register("snappy of times", [&](int64_t) { return time += random() % 2'000'000; });
  Register("snappy of row numbers", [](int64_t i) { return i; });
  Register("snappy of equal numbers", [](int64_t) { return 7; });
  const std::string words[] = {"red, ", "green, ", "blue, ", "black, ", "white, "};
  std::string text;
  Register("snappy of words", [&](int64_t) {
    while (text.size() < sizeof(int64_t)) text += words[random() % 5];
    int64_t item;
    std::memcpy(&item, text.data(), sizeof(item));
    text.erase(0, sizeof(item));
    return item;
  });
  return true;
}();

}  // namespace
}  // namespace rowfeed
