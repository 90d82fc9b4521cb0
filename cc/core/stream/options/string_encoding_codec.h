// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_STRING_ENCODING_CODEC_H_
#define ROWFEED_CORE_STREAM_OPTIONS_STRING_ENCODING_CODEC_H_

#include "core/decode/chunk/string_encoding.h"
#include "core/wire.h"

namespace rowfeed {

void WriteEncoding(const StringEncoding& encoding, WireWriter* writer);

// Returns false if the bytes are no encoding, even if the reader has not failed.
bool ReadEncoding(WireReader* reader, StringEncoding* encoding);

constexpr size_t kMinEncodingBytes = 25;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_STRING_ENCODING_CODEC_H_
