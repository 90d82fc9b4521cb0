// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/blocking_calls.h"

#include <chrono>
#include <functional>
#include <future>
#include <memory>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class BlockingCallsTest : public ::testing::Test {
 protected:
  ~BlockingCallsTest() override { release_.set_value(); }

  // Starts a call that never answers, and waits until it has begun.
  std::shared_ptr<BlockingCalls::Call> StartStuck(
      BlockingCalls* calls, BlockingCalls::Clock::duration timeout) {
    auto begun = std::make_shared<std::promise<void>>();
    auto call = calls->Start(
        [begun, released = released_]() -> Status {
          begun->set_value();
          released.wait();
          return {};
        },
        timeout);
    begun->get_future().wait();
    return call;
  }
  // Waits for a call that answers at once. Gives up after 30 seconds.
  static Status Wait(BlockingCalls* calls, BlockingCalls::Call* call) {
    const auto end = BlockingCalls::Clock::now() + seconds(30);
    return calls->Wait(call, [&] { return BlockingCalls::Clock::now() > end; });
  }

 private:
  std::promise<void> release_;
  const std::shared_future<void> released_ = release_.get_future().share();
};

TEST_F(BlockingCallsTest, CallsThatNobodyWaitsForDoNotHoldAllThreads) {
  BlockingCalls calls(2);
  const auto first = StartStuck(&calls, milliseconds(50));
  const auto second = StartStuck(&calls, milliseconds(50));
  const auto third = calls.Start([] { return Status(); }, hours(1));
  ROWFEED_EXPECT_OK(Wait(&calls, third.get()));
  EXPECT_THAT(Wait(&calls, first.get()),
              testing::StatusIs(StatusCode::kUnavailable, "no answer"));
}

TEST_F(BlockingCallsTest, ThreadsOfCallsLeftBehindAreReplacedWhereOthersWait) {
  BlockingCalls calls(1);
  const auto first = StartStuck(&calls, hours(1));
  const auto second = calls.Start([] { return Status(); }, hours(1));
  calls.Abandon(first.get());
  ROWFEED_EXPECT_OK(Wait(&calls, second.get()));
}

TEST_F(BlockingCallsTest, ACallThatIsDroppedMayBeTheLastToOwnWhatMakesCalls) {
  auto calls = std::make_shared<BlockingCalls>(1);
  std::promise<void> begun;
  std::promise<void> released;
  const auto first = calls->Start(
      [&]() -> Status {
        begun.set_value();
        released.get_future().wait();
        return {};
      },
      hours(1));
  begun.get_future().wait();
  std::promise<void> dropped;
  std::shared_ptr<void> last(nullptr, [&](void*) { dropped.set_value(); });
  auto second = calls->Start([last, calls] { return Status(); }, hours(1));
  calls->Abandon(second.get());
  second.reset();
  last.reset();
  calls.reset();
  released.set_value();
  EXPECT_EQ(dropped.get_future().wait_for(seconds(30)), std::future_status::ready);
}

}  // namespace
}  // namespace rowfeed
