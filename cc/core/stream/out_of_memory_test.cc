// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// What a stream does where the heap has nothing more to give: `new` of this program
// throws where a test says.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "core/stream/batch_stream.h"
#include "core/stream/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace {

// Allocations until the one that fails; below 1: none does.
std::atomic<int64_t> allocations_left = 0;
thread_local bool is_spared = false;

}  // namespace

// Not inline: the compiler would see `free` of what came from `new`.
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  if (!is_spared && allocations_left > 0 && --allocations_left == 0) return nullptr;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void* operator new(size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}

// Arrow loses a few bytes here and there where an allocation throws.
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions() {
  return "leak:libparquet.so\nleak:libarrow.so\n";
}

namespace rowfeed {
namespace {

class OutOfMemoryTest : public BatchStreamFixture {
 protected:
  static Result<BatchStream::Pull> NextUnspared(BatchStream* stream, Batch* batch) {
    is_spared = false;
    Result<BatchStream::Pull> pull = stream->Next(kLong, batch);
    is_spared = true;
    return pull;
  }

  // The rows of an epoch of which one allocation fails. An error that belongs to a
  // batch is one that a user goes back before, by the position; behind another the
  // stream goes on by itself.
  std::vector<std::vector<int64_t>> ReadFailing(int64_t allocation) {
    std::vector<std::vector<int64_t>> batches;
    MakeCursor();
    const auto stream = Stream();
    allocations_left = allocation;
    int errors = 0;
    for (Batch batch; errors < 3; batch = {}) {
      const auto pull = NextUnspared(stream.get(), &batch);
      if (pull.ok()) {
        if (*pull != BatchStream::Pull::kBatch) break;
        batches.push_back(Ids(batch));
        continue;
      }
      ++errors;
      EXPECT_THAT(pull, testing::StatusIs(StatusCode::kOutOfMemory, ""));
      if (stream->is_running()) {
        ROWFEED_EXPECT_OK(stream->Restore(stream->progress()));
      }
    }
    EXPECT_LT(errors, 3);
    return batches;
  }
};

TEST_P(OutOfMemoryTest, AnAllocationThatFailsCostsNoRow) {
  is_spared = true;
  Write(400, 20);
  const auto expected = ReadAll(Stream().get());
  for (int64_t allocation = 1;; allocation += 37) {
    SCOPED_TRACE(allocation);
    EXPECT_EQ(ReadFailing(allocation), expected);
    if (allocations_left > 0 || HasFailure()) break;
  }
  allocations_left = 0;
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, OutOfMemoryTest, ::testing::Values(1, 3));

}  // namespace
}  // namespace rowfeed
