// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_CONVERSION_FIXTURE_H_
#define ROWFEED_TESTING_CONVERSION_FIXTURE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/values/conversion.h"
#include "core/decode/values/make_conversion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

// Makes and uses conversions in tests.
namespace rowfeed {

inline std::shared_ptr<const Conversion> Make(const Column& source,
                                              const Column& wanted) {
  auto conversion = MakeConversion(source, source.storage, wanted, {});
  EXPECT_THAT(conversion, testing::IsOk());
  return conversion.ok() ? *conversion : nullptr;
}

template <typename Out, typename In>
std::vector<Out> Convert(const Conversion& conversion, const std::vector<In>& values) {
  std::vector<Out> elements(values.size());
  const int64_t count = conversion.Convert(
      reinterpret_cast<const uint8_t*>(values.data()), std::ssize(values),
      reinterpret_cast<uint8_t*>(elements.data()));
  EXPECT_EQ(count, std::ssize(values));
  return elements;
}

}  // namespace rowfeed

#endif  // ROWFEED_TESTING_CONVERSION_FIXTURE_H_
