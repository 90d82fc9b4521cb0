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
      // What TensorFlow's file systems return for EIO.
      return absl::StatusCode::kUnknown;
    case StatusCode::kUnavailable:
      // The requests were repeated until the time-out.
      return absl::StatusCode::kDeadlineExceeded;
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

StatusCode FromCode(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kNotFound:
      return StatusCode::kNotFound;
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
      return StatusCode::kPermission;
    case absl::StatusCode::kUnimplemented:
      return StatusCode::kUnsupported;
    case absl::StatusCode::kInvalidArgument:
      return StatusCode::kInvalid;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kResourceExhausted:  // too many requests
      return StatusCode::kUnavailable;
    case absl::StatusCode::kDataLoss:
      return StatusCode::kCorrupt;
    default:
      return StatusCode::kIo;
  }
}

}  // namespace

absl::Status ToTensorFlow(const Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(ToCode(status.code()), status.message());
}

Status FromTensorFlow(const absl::Status& status) {
  if (status.ok()) return {};
  return {FromCode(status.code()), std::string(status.message())};
}

}  // namespace rowfeed::tfdata
