// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/tf_status.h"

namespace rowfeed::tfdata {
namespace {

absl::StatusCode ToCode(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return absl::StatusCode::kOk;
    case StatusCode::kInvalid:
    case StatusCode::kType:
    case StatusCode::kKey:
      return absl::StatusCode::kInvalidArgument;
    case StatusCode::kNotFound:
      return absl::StatusCode::kNotFound;
    case StatusCode::kPermission:
      return absl::StatusCode::kPermissionDenied;
    case StatusCode::kUnsupported:
      return absl::StatusCode::kUnimplemented;
    case StatusCode::kIo:
      return absl::StatusCode::kUnknown;  // as TensorFlow's file systems say EIO
    case StatusCode::kUnavailable:
      return absl::StatusCode::kUnavailable;
    case StatusCode::kCorrupt:
      return absl::StatusCode::kDataLoss;
    case StatusCode::kOutOfMemory:
      return absl::StatusCode::kResourceExhausted;
    case StatusCode::kCancelled:
      return absl::StatusCode::kCancelled;
    case StatusCode::kInternal:
      return absl::StatusCode::kInternal;
  }
  return absl::StatusCode::kInternal;
}

}  // namespace

absl::Status ToTensorFlow(const Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(ToCode(status.code()), status.message());
}

}  // namespace rowfeed::tfdata
