// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_FUZZING_CHUNK_KINDS_H_
#define ROWFEED_FUZZING_CHUNK_KINDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "testing/chunk_fixture.h"

namespace rowfeed::fuzzing {

// A sound column chunk, whose bytes a fuzzer replaces.
struct ChunkKind {
  std::string name;          // its type and the way in which it is written
  testing::TestChunk chunk;  // what the footer says of it
  std::string bytes;         // its pages, as they are written
};

// Returns chunks of all encodings, codecs, page versions and shapes of rows. The list
// is always the same, as inputs of the fuzzer refer to its places.
const std::vector<ChunkKind>& ChunkKinds();

// An input of the target chunk_fuzz: three bytes, then the pages of a chunk.
struct ChunkInput {
  const ChunkKind& kind;   // by the first two bytes
  int64_t begin, end;      // rows that are asked for, by the third byte
  std::string_view bytes;  // pages
};

constexpr size_t kChunkInputHeader = 3;

// Returns what an input of at least kChunkInputHeader bytes asks for.
ChunkInput ReadChunkInput(std::string_view input);

}  // namespace rowfeed::fuzzing

#endif  // ROWFEED_FUZZING_CHUNK_KINDS_H_
