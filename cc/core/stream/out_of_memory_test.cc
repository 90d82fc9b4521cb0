// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what a stream does when memory runs out: the `new` of this program throws where
// a test says.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "core/stream/batch_stream.h"
#include "testing/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace {

// Number of allocations up to the one that fails. Below 1, none fails.
std::atomic<int64_t> allocations_left = 0;
thread_local bool is_spared = false;

}  // namespace

// These are not inlined, because the compiler would see `free` of what came from `new`.
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

// Arrow leaks a few bytes where an allocation throws.
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions() {
  return "leak:libparquet.so\nleak:libarrow.so\n";
}

namespace rowfeed {
namespace {

class OutOfMemoryTest : public BatchStreamFixture {
 protected:
  // Returns what `call` returns. During the call, allocations of this thread may fail.
  template <typename Call>
  static auto Unspared(const Call& call) {
    is_spared = false;
    auto result = call();
    is_spared = true;
    return result;
  }

  // Makes a stream, and lets one of the allocations from now on fail.
  std::unique_ptr<BatchStream> FailingStream(int64_t allocation) {
    MakeCursor();
    auto stream = Stream();
    allocations_left = allocation;
    return stream;
  }

  // Reads the rows that a stream still has. After an error that belongs to a batch it
  // goes back to before that batch, as a user would. After another error the stream
  // continues by itself.
  static std::vector<std::vector<int64_t>> ReadOn(BatchStream* stream) {
    std::vector<std::vector<int64_t>> batches;
    int errors = 0;
    for (Batch batch; errors < 3; batch = {}) {
      const auto pull = Unspared([&] { return stream->Next(kLong, &batch); });
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

// This test shows fault 46 of docs/reliability.md.
TEST_P(OutOfMemoryTest, AnAllocationThatFailsCostsNoRow) {
  is_spared = true;
  Write(400, 20);
  const auto expected = ReadAll(Stream().get());
  for (int64_t allocation = 1;; allocation += 37) {
    SCOPED_TRACE(allocation);
    EXPECT_EQ(ReadOn(FailingStream(allocation).get()), expected);
    if (allocations_left > 0 || HasFailure()) break;
  }
  allocations_left = 0;
}

// This test shows fault 46 of docs/reliability.md.
TEST_P(OutOfMemoryTest, AnAllocationThatFailsInSkipSkipsNothing) {
  constexpr int64_t kSkipped = 20;
  is_spared = true;
  Write(400, 20);
  auto expected = ReadAll(Stream().get());
  expected.erase(expected.begin(), expected.begin() + kSkipped);
  int num_failed = 0;
  for (int64_t allocation = 1;; ++allocation) {
    SCOPED_TRACE(allocation);
    const auto stream = FailingStream(allocation);
    auto skipped = Unspared([&] { return stream->Skip(kSkipped); });
    if (!skipped.ok()) {
      ++num_failed;
      EXPECT_THAT(skipped, testing::StatusIs(StatusCode::kOutOfMemory, ""));
      EXPECT_EQ(stream->progress().row, 0);
      skipped = stream->Skip(kSkipped);
    }
    ROWFEED_ASSERT_OK(skipped);
    EXPECT_EQ(*skipped, kSkipped);
    const bool has_been = allocations_left <= 0;
    EXPECT_EQ(ReadOn(stream.get()), expected);
    if (!has_been || HasFailure()) break;
  }
  allocations_left = 0;
  EXPECT_GT(num_failed, 0);
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, OutOfMemoryTest, ::testing::Values(1, 3));

}  // namespace
}  // namespace rowfeed
