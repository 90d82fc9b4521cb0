// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/catalog/schema/dtypes.h"
#include "core/field_codec.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"
#include "core/stream/options/string_encoding_codec.h"

namespace rowfeed {

template <>
struct Codec<StringEncoding> {
  static constexpr size_t kMinBytes = kMinEncodingBytes;
  // Another word is needed with every change of what WriteEncoding writes.
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return digest.With("encoding 1");
  }
  static void Write(const StringEncoding& encoding, WireWriter* out) {
    WriteEncoding(encoding, out);
  }
  static StringEncoding Read(WireReader* in) {
    StringEncoding encoding;
    if (!ReadEncoding(in, &encoding)) in->Fail();
    return encoding;
  }
};

// Writes and reads one source of a mixture, which cannot be a mixture itself.
template <>
struct Codec<StreamOptions> {
  static constexpr size_t kMinBytes = sizeof(uint64_t);
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return digest.With("source");  // its bytes begin with a magic of their own
  }
  static void Write(const StreamOptions& source, WireWriter* out) {
    out->String(source.Serialize());
  }
  static StreamOptions Read(WireReader* in) {
    Result<StreamOptions> source =
        StreamOptions::Parse(in->String(), /*is_source=*/true);
    if (!source.ok()) in->Fail();
    return source.ok() ? *std::move(source) : StreamOptions();
  }
};

template <>
struct Codec<std::shared_ptr<const MixtureOptions>> {
  static constexpr size_t kMinBytes = 1;
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return Codec<MixtureOptions>::Layout(digest.With("optional"));
  }
  static void Write(const std::shared_ptr<const MixtureOptions>& mixture,
                    WireWriter* out) {
    out->Bool(mixture != nullptr);
    if (mixture) Codec<MixtureOptions>::Write(*mixture, out);
  }
  static std::shared_ptr<const MixtureOptions> Read(WireReader* in) {
    if (!in->Bool()) return nullptr;
    auto read = std::make_shared<MixtureOptions>(Codec<MixtureOptions>::Read(in));
    if (read->sources.empty()) in->Fail();
    return read;
  }
};

namespace {

// The names, types and enumerators of all fields. Graphs and pickles of a version that
// has other ones are refused, not misread.
constexpr uint32_t kMagic =
    LayoutOfFields<StreamOptions>(LayoutDigest().With("stream options")).value;

}  // namespace

std::string StreamOptions::Serialize() const {
  WireWriter writer;
  writer.Int(kMagic);
  VisitFields(*this, [&](const auto& /*field*/, const auto& value) {
    Codec<std::decay_t<decltype(value)>>::Write(value, &writer);
  });
  return std::move(writer).Finish();
}

Result<StreamOptions> StreamOptions::Parse(std::string_view bytes, bool is_source) {
  WireReader reader(bytes);
  if (reader.Int<uint32_t>() != kMagic) reader.Fail();
  StreamOptions options;
  VisitFields(options, [&](const auto& /*field*/, auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::shared_ptr<const MixtureOptions>>) {
      if (is_source && reader.Bool()) reader.Fail();
      if (is_source) return;
    }
    value = Codec<Value>::Read(&reader);
  });
  if (!reader.AtEnd()) {
    return Status::Invalid(
        "these bytes are not the options of a stream, or another version of rowfeed "
        "wrote them: pickled datasets and saved graphs belong to one version; make the "
        "dataset anew, and give its state_dict to load_state_dict");
  }
  return options;
}

}  // namespace rowfeed
