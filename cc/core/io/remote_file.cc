// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/remote_file.h"

#include <utility>
#include <vector>

#include "core/io/buffer_pool.h"
#include "core/io/fetched_file.h"

namespace rowfeed {
namespace {

// Asks the store for the version of an object. Errors name `shown`.
Result<FileVersion> AskVersion(const RemoteAccess& access,
                               const std::shared_ptr<const RemoteObject>& object,
                               const std::string& shown, const Cancelled& cancelled) {
  Result<FileVersion> version = Ask(access, access.retry.attempt_timeout, cancelled,
                                    [object] { return object->Version(); });
  if (version.ok() || version.status().code() == StatusCode::kCancelled) return version;
  return version.status().WithContext(shown);
}

// A request that is being read. The call that reads it may outlive whoever waits for
// it, so it owns `answer`.
struct Request {
  struct Answer {
    std::shared_ptr<uint8_t[]> bytes;  // what was read; allocated when the call runs
    int64_t size = 0;
  };
  Extent extent;
  std::shared_ptr<BufferPool> buffers;
  std::shared_ptr<Answer> answer;
  std::shared_ptr<BlockingCalls::Call> call;
  int64_t num_retries = 0;
};

Result<std::shared_ptr<uint8_t[]>> Allocate(int64_t size, BufferPool* buffers) {
  if (buffers == nullptr) return std::shared_ptr<uint8_t[]>(new uint8_t[size]);
  ROWFEED_ASSIGN_OR_RETURN(Buffer buffer, buffers->Allocate(size));
  const auto owner = std::make_shared<Buffer>(std::move(buffer));
  return std::shared_ptr<uint8_t[]>(owner, owner->data());
}

class RemoteFile final : public RandomAccessFile {
 public:
  RemoteFile(std::string path, FileVersion version,
             std::shared_ptr<const RemoteObject> object, RemoteAccess access)
      : path_(std::move(path)),
        version_(std::move(version)),
        object_(std::move(object)),
        access_(std::move(access)) {}

  Status Read(const std::vector<ReadRequest>& requests) const override {
    return FetchInto(*this, requests, {});
  }

  Result<std::vector<FetchedExtent>> Fetch(const std::vector<Extent>& extents,
                                           const std::shared_ptr<BufferPool>& buffers,
                                           const Cancelled& cancelled) const override;
  Status CheckUnchanged(const Cancelled& cancelled) const override;
  bool is_remote() const override { return true; }
  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }

 private:
  RetryPolicy PolicyOf(const Request& request) const {
    return access_.retry.ForBytes(request.extent.size);
  }
  void Start(Request* request) const;
  Status FinishAll(std::vector<Request>* requests, const Cancelled& cancelled) const;

  const std::string path_;
  const FileVersion version_;
  const std::shared_ptr<const RemoteObject> object_;
  const RemoteAccess access_;
};

Result<std::vector<FetchedExtent>> RemoteFile::Fetch(
    const std::vector<Extent>& extents, const std::shared_ptr<BufferPool>& buffers,
    const Cancelled& cancelled) const {
  for (const Extent& extent : extents) {
    ROWFEED_RETURN_NOT_OK(CheckExtent(*this, extent));
  }
  std::vector<Request> requests;
  for (const Extent& extent : Coalesce(extents, access_.requests)) {
    requests.push_back({extent, buffers, nullptr, nullptr});
    Start(&requests.back());
  }
  const Status status = FinishAll(&requests, cancelled);
  if (!status.ok()) {
    for (const Request& request : requests) {
      access_.calls->Abandon(request.call.get());
    }
    const StatusCode code = status.code();
    if (code == StatusCode::kCancelled || code == StatusCode::kUnavailable) {
      return status;
    }
    // The reason may be that the object was replaced.
    ROWFEED_RETURN_NOT_OK(CheckUnchanged(cancelled));
    return status;
  }
  std::vector<FetchedExtent> fetched;
  fetched.reserve(requests.size());
  for (const Request& request : requests) {
    fetched.push_back({request.extent, request.answer->bytes, request.num_retries});
  }
  return fetched;
}

void RemoteFile::Start(Request* request) const {
  request->answer = std::make_shared<Request::Answer>();
  const auto read = [object = object_, extent = request->extent,
                     buffers = request->buffers, answer = request->answer]() -> Status {
    ROWFEED_ASSIGN_OR_RETURN(answer->bytes, Allocate(extent.size, buffers.get()));
    ROWFEED_ASSIGN_OR_RETURN(answer->size, object->Read(extent, answer->bytes.get()));
    return {};
  };
  request->call = access_.calls->Start(read, PolicyOf(*request).attempt_timeout);
}

Status RemoteFile::FinishAll(std::vector<Request>* requests,
                             const Cancelled& cancelled) const {
  for (Request& request : *requests) {
    bool is_started = true;  // the first try was started with all others
    ROWFEED_RETURN_NOT_OK(Retry(PolicyOf(request), cancelled, [&]() -> Status {
      if (!std::exchange(is_started, false)) {
        Start(&request);
        ++request.num_retries;
      }
      Status status = access_.calls->Wait(request.call.get(), cancelled);
      if (status.code() == StatusCode::kCancelled) return status;
      if (!status.ok()) return status.WithContext(path_);
      if (request.answer->size == request.extent.size) return {};
      status = CheckUnchanged(cancelled);
      if (!status.ok()) return status;
      return Status::Make(StatusCode::kUnavailable, path_, ": ", request.answer->size,
                          " of ", request.extent.size, " bytes came");
    }));
  }
  return {};
}

Status RemoteFile::CheckUnchanged(const Cancelled& cancelled) const {
  ROWFEED_ASSIGN_OR_RETURN(const FileVersion found,
                           AskVersion(access_, object_, path_, cancelled));
  return CheckVersion(path_, version_, found);
}

}  // namespace

RemoteObject::~RemoteObject() = default;

Result<std::shared_ptr<const RandomAccessFile>> OpenRemoteFile(
    std::string shown, std::shared_ptr<const RemoteObject> object, RemoteAccess access,
    const Cancelled& cancelled) {
  ROWFEED_ASSIGN_OR_RETURN(FileVersion version,
                           AskVersion(access, object, shown, cancelled));
  return MakeRemoteFile(std::move(shown), std::move(version), std::move(object),
                        std::move(access));
}

std::shared_ptr<const RandomAccessFile> MakeRemoteFile(
    std::string shown, FileVersion version, std::shared_ptr<const RemoteObject> object,
    RemoteAccess access) {
  return std::make_shared<RemoteFile>(std::move(shown), std::move(version),
                                      std::move(object), std::move(access));
}

}  // namespace rowfeed
