// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_TF_STATUS_H_
#define ROWFEED_TENSORFLOW_TF_STATUS_H_

#include "absl/status/status.h"
#include "core/status.h"

namespace rowfeed::tfdata {

// Returns the same outcome as a status of TensorFlow. It is never OutOfRange, which
// tf.data takes for the end of a sequence. Nor is it Unavailable: the tf.data service
// takes that for a lost worker, and its clients ask again for ever.
absl::Status ToTensorFlow(const Status& status);

// Returns the status that a file system of TensorFlow reports, as one of this core.
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

// Assigns the value of `expr`, a rowfeed::Result, to `lhs`. If it is an error, the
// enclosing function returns that as an absl::Status.
#define ROWFEED_TF_ASSIGN_OR_RETURN(lhs, expr)                                     \
  ROWFEED_TF_ASSIGN_OR_RETURN_IMPL_(ROWFEED_CONCAT_(rowfeed_result_, __COUNTER__), \
                                    lhs, expr)

#endif  // ROWFEED_TENSORFLOW_TF_STATUS_H_
