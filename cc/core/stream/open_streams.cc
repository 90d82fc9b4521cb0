// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/open_streams.h"

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rowfeed {
namespace {

struct Registry {
  std::mutex mutex;
  std::unordered_map<const BatchStream*, std::weak_ptr<BatchStream>> streams;
  bool closed = false;
};

Registry& registry() {
  static auto* registry = new Registry;  // never destroyed: threads outlive main
  return *registry;
}

}  // namespace

std::shared_ptr<BatchStream> OpenStream(std::shared_ptr<Cursor> cursor,
                                        const StreamOptions& options) {
  Registry& all = registry();
  std::shared_ptr<BatchStream> stream(
      BatchStream::Make(std::move(cursor), options).release(),
      [&all](const BatchStream* gone) {
        {
          const std::lock_guard lock(all.mutex);
          all.streams.erase(gone);
        }
        delete gone;
      });
  const std::lock_guard lock(all.mutex);
  all.streams.emplace(stream.get(), stream);
  if (all.closed) stream->Cancel();
  return stream;
}

void CloseStreams() {
  Registry& all = registry();
  std::vector<std::shared_ptr<BatchStream>> open;
  {
    const std::lock_guard lock(all.mutex);
    all.closed = true;
    for (const auto& [_, weak] : all.streams) {
      if (auto stream = weak.lock()) open.push_back(std::move(stream));
    }
  }
  for (const auto& stream : open) stream->Cancel();
  for (const auto& stream : open) stream->Close();
}

}  // namespace rowfeed
