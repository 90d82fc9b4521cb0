// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/s3_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "arrow/filesystem/s3fs.h"
#include "arrow/result.h"
#include "core/arrow_version.h"

namespace rowfeed {
namespace {

thread_local TransientErrors* noting = nullptr;

class Retries final : public arrow::fs::S3RetryStrategy {
 public:
  bool ShouldRetry(const AWSErrorDetail& error, int64_t attempted_retries) override {
    if (noting != nullptr) {
      noting->Note(error.should_retry);
      return false;
    }
    return error.should_retry && attempted_retries < kMaxRetries;
  }

  int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail& /*error*/,
                                        int64_t attempted_retries) override {
    const int64_t longest = kFirstPauseMs << std::min<int64_t>(attempted_retries, 5);
    std::minstd_rand random{std::random_device()()};
    return std::uniform_int_distribution(longest / 2, longest)(random);
  }

 private:
  static constexpr int64_t kMaxRetries = 6;
  static constexpr int64_t kFirstPauseMs = 100;
};

// Returns the path of Arrow's library for s3, given that of Arrow's main library. Both
// are in one folder, and their names differ in one word, whether they are those of
// pyarrow (libarrow.so.2600) or of our package (librowfeed_arrow-26.0.1-1a2b3c4d.so).
arrow::Result<std::string> BesideArrow(std::string path) {
  const std::string word = "arrow";
  const size_t found = path.find(word, path.rfind('/') + 1);
  if (found == std::string::npos) {
    return arrow::Status::NotImplemented(path, " is not the name of Arrow's library");
  }
  return path.insert(found + word.size(), "_s3");
}

arrow::Status Load() {
  if constexpr (!kS3IsApart) return arrow::Status::OK();
  Dl_info arrow;
  if (dladdr(reinterpret_cast<const void*>(&arrow::fs::LoadFileSystemFactories),
             &arrow) == 0) {
    return arrow::Status::NotImplemented("Arrow's library cannot be found");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string path, BesideArrow(arrow.dli_fname));
  return arrow::fs::LoadFileSystemFactories(path.c_str());
}

}  // namespace

arrow::Status LoadS3() {
  static const arrow::Status status = Load();
  return status;
}

arrow::fs::FileSystemFactoryOptions S3Options() {
  return {{"retry_strategy",
           std::shared_ptr<arrow::fs::S3RetryStrategy>(std::make_shared<Retries>())}};
}

TransientErrors::TransientErrors() { noting = this; }
TransientErrors::~TransientErrors() { noting = nullptr; }

}  // namespace rowfeed
