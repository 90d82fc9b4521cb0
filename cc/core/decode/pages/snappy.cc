// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/snappy.h"

#include <array>
#include <cstring>

namespace rowfeed {
namespace {

// A Snappy stream is the length of the uncompressed data, then elements. Each element
// begins with a tag of one byte, whose two low bits say its kind: bytes to take over (a
// literal), or a copy of bytes already written.
enum Kind : uint8_t { kLiteral, kNearCopy, kCopy, kFarCopy };

// A literal of at most this many bytes is short: the fast loop writes exactly this
// many, whatever its length.
constexpr int64_t kShortLiteral = 16;
constexpr int64_t kMaxCopy = 64;
// Number of bytes that the fast loop may read and write beyond the end of an element.
constexpr int64_t kReadAhead = 32;
constexpr int64_t kWriteAhead = kShortLiteral + kMaxCopy + 8;

// For each tag of a copy: the copy's length, and the part of its offset that lies in
// the tag.
struct CopyTags {
  std::array<uint8_t, 256> length;
  std::array<uint16_t, 256> offset;

  constexpr CopyTags() : length(), offset() {
    for (uint32_t tag = 0; tag < 256; ++tag) {
      const bool is_near = (tag & 3) == kNearCopy;
      length[tag] = is_near ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
      offset[tag] = is_near ? tag >> 5 << 8 : 0;
    }
  }
};
constexpr CopyTags kCopyTags;

uint64_t Load64(const uint8_t* in) {
  uint64_t word;
  std::memcpy(&word, in, sizeof(word));
  return word;
}

class Decoder {
 public:
  Decoder(std::span<const uint8_t> in, std::span<uint8_t> out)
      : in_(in.data()),
        in_end_(in_ + in.size()),
        out_begin_(out.data()),
        out_(out_begin_),
        out_end_(out_begin_ + out.size()) {}

  bool Decode() {
    uint64_t length;
    return ReadLength(&length) &&
           length == static_cast<uint64_t>(out_end_ - out_begin_) && DecodeMost() &&
           DecodeRest() && out_ == out_end_;
  }

 private:
  bool ReadLength(uint64_t* length);
  // The fast loop: decodes while input and output have room enough to read and write
  // whole words.
  bool DecodeMost();
  bool DecodeRest();
  // Both decode one element, whose tag has been read already.
  bool TakeLiteral(uint32_t tag);
  bool TakeCopy(uint32_t tag);
  // Reads `size` bytes of the input as a little-endian number.
  bool ReadNumber(int64_t size, uint32_t* number);

  const uint8_t* in_;
  const uint8_t* const in_end_;
  uint8_t* const out_begin_;
  uint8_t* out_;
  uint8_t* const out_end_;
};

bool Decoder::ReadNumber(int64_t size, uint32_t* number) {
  if (in_end_ - in_ < size) return false;
  *number = 0;
  std::memcpy(number, in_, size);
  in_ += size;
  return true;
}

bool Decoder::ReadLength(uint64_t* length) {
  *length = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    uint32_t byte;
    if (!ReadNumber(1, &byte)) return false;
    *length |= uint64_t{byte & 127} << shift;
    if (byte < 128) return true;
  }
  return false;
}

bool Decoder::TakeLiteral(uint32_t tag) {
  int64_t length = (tag >> 2) + 1;
  if (length > 60) {
    uint32_t number;
    if (!ReadNumber(length - 60, &number)) return false;
    length = int64_t{number} + 1;
  }
  if (length > in_end_ - in_ || length > out_end_ - out_) return false;
  std::memcpy(out_, in_, length);
  in_ += length;
  out_ += length;
  return true;
}

bool Decoder::TakeCopy(uint32_t tag) {
  const auto kind = static_cast<Kind>(tag & 3);
  uint32_t number;
  if (!ReadNumber(kind == kFarCopy ? 4 : kind, &number)) return false;
  const int64_t length = kCopyTags.length[tag];
  const int64_t offset = int64_t{number} + kCopyTags.offset[tag];
  if (offset == 0 || offset > out_ - out_begin_ || length > out_end_ - out_) {
    return false;
  }
  for (uint8_t* const end = out_ + length; out_ < end; ++out_) *out_ = *(out_ - offset);
  return true;
}

bool Decoder::DecodeRest() {
  while (in_ < in_end_) {
    const uint32_t tag = *in_++;
    if (!((tag & 3) == kLiteral ? TakeLiteral(tag) : TakeCopy(tag))) return false;
  }
  return true;
}

void CopyWord(uint8_t* out, const uint8_t* from) {
  const uint64_t word = Load64(from);
  std::memcpy(out, &word, sizeof(word));
}

// Copies `length` bytes from `offset` bytes earlier in the output, word by word. Source
// and target may overlap. Writes up to 7 bytes too many.
[[gnu::noinline]] void Repeat(uint8_t* out, int64_t offset, int64_t length) {
  const uint8_t* from = out - offset;
  uint8_t* const end = out + length;
  // While the offset is less than a word, each copied word doubles the length of the
  // repeated pattern.
  for (; offset < 8 && out < end; offset *= 2) {
    CopyWord(out, from);
    out += offset;
  }
  for (; out < end; out += 8, from += 8) CopyWord(out, from);
}

// Like Repeat, but faster where source and target overlap little: writes up to kMaxCopy
// + 7 bytes, whatever the length. It branches on few lengths. Bytes that were just
// written are slow to read again, so they are read only where they must be.
inline void Copy(uint8_t* out, int64_t offset, int64_t length) {
  const uint8_t* from = out - offset;
  if (offset >= 16) {
    std::memcpy(out, from, 16);
    if (length <= 16) return;
    std::memcpy(out + 16, from + 16, 16);
    if (length <= 32) return;
    std::memcpy(out + 32, from + 32, 16);
    std::memcpy(out + 48, from + 48, 16);
    return;
  }
  if (offset < 8) return Repeat(out, offset, length);
  CopyWord(out, from);
  if (length <= 8) return;
  CopyWord(out + 8, from + 8);
  if (length > 16) Repeat(out + 16, offset, length - 16);
}

// Compressed numbers are streams in which short literals and copies alternate, with
// kinds and lengths that no branch predictor can guess. So a short literal and the copy
// after it are decoded in one turn of the loop, from one word if they fit, and the code
// branches on neither the kind nor the length of a copy. The conditions that end the
// loop are predictable.
bool Decoder::DecodeMost() {
  if (in_end_ - in_ <= kReadAhead || out_end_ - out_ <= kWriteAhead) return true;
  // Local copies, which stay in registers while bytes are written to `out`.
  const uint8_t* in = in_;
  uint8_t* out = out_;
  const uint8_t* const in_limit = in_end_ - kReadAhead;
  uint8_t* const out_limit = out_end_ - kWriteAhead;
  while (in < in_limit && out < out_limit) {
    uint64_t word = Load64(in);
    if ((word & 3) == kLiteral) {
      const auto length = static_cast<int64_t>((word >> 2) & 63) + 1;
      if (length <= 4) {
        std::memcpy(out, in + 1, 4);
        word >>= 8 + 8 * length;
      } else if (length <= kShortLiteral) {
        std::memcpy(out, in + 1, kShortLiteral);
        word = Load64(in + 1 + length);
      } else {
        in_ = in + 1;
        out_ = out;
        if (!TakeLiteral(word & 255)) return false;
        in = in_;
        out = out_;
        continue;
      }
      in += 1 + length;
      out += length;
      if ((word & 3) == kLiteral) continue;
    }
    const uint32_t tag = word & 255;
    const uint32_t kind = tag & 3;
    if (kind == kFarCopy) {
      in_ = in + 1;
      out_ = out;
      if (!TakeCopy(tag)) return false;
      in = in_;
      out = out_;
      continue;
    }
    const int64_t length = kCopyTags.length[tag];
    const uint32_t number = (word >> 8) & (0xffffU >> (8 * (2 - kind)));
    const int64_t offset = int64_t{number} + kCopyTags.offset[tag];
    if (offset == 0 || offset > out - out_begin_) return false;
    Copy(out, offset, length);
    in += 1 + kind;
    out += length;
  }
  in_ = in;
  out_ = out;
  return true;
}

}  // namespace

Status DecompressSnappy(std::span<const uint8_t> in, std::span<uint8_t> out) {
  if (Decoder(in, out).Decode()) return {};
  return Status::Corrupt("a page of ", in.size(), " bytes is not a Snappy stream of ",
                         out.size(), " bytes");
}

}  // namespace rowfeed
