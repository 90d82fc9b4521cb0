// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_TF_STATUS_H_
#define ROWFEED_TENSORFLOW_TF_STATUS_H_

#include "absl/status/status.h"
#include "core/status.h"

namespace rowfeed::tfdata {

// The same outcome in TensorFlow's terms. Never OutOfRange, which tf.data takes for the
// end of a sequence, nor Unavailable, which the tf.data service takes for a lost
// worker, and its clients ask again for ever.
absl::Status ToTensorFlow(const Status& status);

// The way back, of what a file system of TensorFlow says.
Status FromTensorFlow(const absl::Status& status);

}  // namespace rowfeed::tfdata

#define ROWFEED_TF_RETURN_NOT_OK(expr)                                       \
  do {                                                                       \
    absl::Status rowfeed_tf_status_ = ::rowfeed::tfdata::ToTensorFlow(expr); \
    if (!rowfeed_tf_status_.ok()) return rowfeed_tf_status_;                 \
  } while (false)

#define ROWFEED_TF_ASSIGN_OR_RETURN_IMPL_(result, lhs, expr)                 \
  auto result = (expr);                                                      \
  if (!result.ok()) return ::rowfeed::tfdata::ToTensorFlow(result.status()); \
  lhs = *std::move(result)

// `expr` is a rowfeed::Result; the enclosing function returns absl::Status.
#define ROWFEED_TF_ASSIGN_OR_RETURN(lhs, expr)                                     \
  ROWFEED_TF_ASSIGN_OR_RETURN_IMPL_(ROWFEED_CONCAT_(rowfeed_result_, __COUNTER__), \
                                    lhs, expr)

#endif  // ROWFEED_TENSORFLOW_TF_STATUS_H_
