// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Writes inputs from which each fuzz target begins: DIRECTORY/TARGET/NUMBER.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "arrow/util/compression.h"
#include "core/stream/options/options.h"
#include "fuzzing/chunk_kinds.h"
#include "fuzzing/seed_catalog.h"
#include "parquet/column_writer.h"

namespace rowfeed::fuzzing {
namespace {

using Inputs = std::vector<std::string>;

Inputs Chunks() {
  Inputs inputs;
  const auto& kinds = ChunkKinds();
  for (size_t i = 0; i < kinds.size(); ++i) {
    for (const char rows : {1, 20}) {  // all, and some of them
      inputs.push_back({static_cast<char>(i & 0xff), static_cast<char>(i >> 8), rows});
      inputs.back() += kinds[i].bytes;
    }
  }
  return inputs;
}

Inputs PageHeaders() {
  Inputs inputs;
  for (const ChunkKind& kind : ChunkKinds()) {
    inputs.push_back(kind.bytes.substr(0, 60));
  }
  return inputs;
}

Inputs LevelRuns() {
  Inputs inputs;
  for (const int16_t max_level : {1, 2, 3, 7, 15}) {
    for (const int size : {1, 9, 64, 300}) {
      std::vector<int16_t> levels(size);
      for (int i = 0; i < size; ++i) {
        levels[i] = static_cast<int16_t>(i / (1 + size / 20) * 7 % (max_level + 1));
      }
      std::string out(
          parquet::LevelEncoder::MaxBufferSize(parquet::Encoding::RLE, max_level, size),
          '\0');
      parquet::LevelEncoder encoder;
      encoder.Init(parquet::Encoding::RLE, max_level, size,
                   reinterpret_cast<uint8_t*>(out.data()),
                   static_cast<int>(out.size()));
      encoder.Encode(size, levels.data());
      out.resize(encoder.len());
      inputs.push_back({static_cast<char>(max_level - 1),
                        static_cast<char>(size & 0xff), static_cast<char>(size >> 8)});
      inputs.back() += out;
    }
  }
  return inputs;
}

Inputs SnappyStreams() {
  Inputs inputs;
  const auto codec =
      arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
  for (const ChunkKind& kind : ChunkKinds()) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(kind.bytes.data());
    const auto size = static_cast<int64_t>(kind.bytes.size());
    std::string out(codec->MaxCompressedLen(size, bytes), '\0');
    out.resize(codec
                   ->Compress(size, bytes, static_cast<int64_t>(out.size()),
                              reinterpret_cast<uint8_t*>(out.data()))
                   .ValueOrDie());
    inputs.push_back({static_cast<char>(size & 0xff), static_cast<char>(size >> 8)});
    inputs.back() += out;
  }
  return inputs;
}

Inputs Footers() {
  Inputs inputs;
  const auto footer_of = [](const std::string& file) {
    uint32_t size = 0;
    for (int i = 0; i < 4; ++i) {
      size |= static_cast<uint32_t>(static_cast<uint8_t>(file[file.size() - 8 + i]))
              << 8 * i;
    }
    return file.substr(file.size() - 8 - size, size);
  };
  inputs.push_back(footer_of(SeedFile()));
  return inputs;
}

Inputs Catalogs() {
  const std::vector<std::string> few = {"x3", "x12"};
  return {SeedCatalog()->Serialize(), SeedCatalog(few)->Serialize()};
}

Inputs Options() { return {StreamOptions().Serialize()}; }

Inputs Uris() {
  return {"s3://key:secret@bucket/a%20b/c.parquet?endpoint_override=localhost%3A9000",
          "gs://bucket/key?anonymous=true",
          "abfs://container@account.dfs.core.windows.net/a?sas_token=sv%3D1",
          "hdfs://namenode:8020/a/*.parquet?user=me", "file:///tmp/a b.parquet"};
}

void Write(const std::filesystem::path& folder, const Inputs& inputs) {
  std::filesystem::create_directories(folder);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::ofstream(folder / std::to_string(i), std::ios::binary) << inputs[i];
  }
  std::cout << folder.filename().string() << ": " << inputs.size() << " seeds\n";
}

}  // namespace
}  // namespace rowfeed::fuzzing

int main(int argc, char** argv) {
  using namespace rowfeed::fuzzing;
  if (argc != 2) {
    std::cerr << "usage: write_seeds DIRECTORY\n";
    return 2;
  }
  const std::filesystem::path root = argv[1];
  Write(root / "chunk_fuzz", Chunks());
  Write(root / "page_header_fuzz", PageHeaders());
  Write(root / "level_runs_fuzz", LevelRuns());
  Write(root / "snappy_fuzz", SnappyStreams());
  Write(root / "footer_fuzz", Footers());
  Write(root / "catalog_fuzz", Catalogs());
  Write(root / "options_fuzz", Options());
  Write(root / "uri_fuzz", Uris());
  return 0;
}
