// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/constant_pages.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace rowfeed {
namespace {

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) *out += static_cast<char>(value | 0x80);
  *out += static_cast<char>(value);
}

// Encodes `count` times a value of one bit, as a run of the RLE / bit-packed hybrid
// coding.
std::string EncodedRun(int64_t count, bool value) {
  std::string run;
  AppendVarint(static_cast<uint64_t>(count) << 1, &run);
  run += static_cast<char>(value);
  return run;
}

// Encodes the values of a data page, all of which are the same: booleans as plain bits,
// all others as indices into a dictionary of one value. Without `value` all rows are
// null, and no value is stored.
std::string ValuesOf(int64_t count, const std::optional<std::string>& value,
                     bool is_boolean) {
  if (is_boolean) {
    const bool is_true = value && value->front() != 0;
    return std::string(value ? (count + 7) / 8 : 0, is_true ? '\xFF' : '\0');
  }
  std::string values(1, '\1');  // bit width of the indices
  if (value) values += EncodedRun(count, false);
  return values;
}

std::string WithLength(const std::string& bytes) {
  const auto size = static_cast<uint32_t>(bytes.size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + bytes;
}

Result<Page> MakePage(PageHeader header, const std::string& body, BufferPool* pool,
                      std::vector<Buffer>* buffers) {
  ROWFEED_ASSIGN_OR_RETURN(Buffer buffer, pool->Allocate(std::ssize(body)));
  std::memcpy(buffer.data(), body.data(), body.size());
  header.compressed_size = header.uncompressed_size = static_cast<int32_t>(body.size());
  Page page;
  page.header = header;
  page.body = Bytes(buffer.data(), body.size());
  buffers->push_back(std::move(buffer));
  return page;
}

}  // namespace

Result<ConstantPages> MakeConstantPages(const ChunkRequest& request, BufferPool* pool) {
  const std::optional<std::string>& value = request.constant->plain_value;
  const bool has_length = request.storage->physical == ColumnStorage::kByteArray;
  const bool is_boolean = request.storage->physical == ColumnStorage::kBoolean;
  ConstantPages made;
  if (!is_boolean) {
    PageHeader dictionary;
    dictionary.type = PageHeader::kDictionary;
    dictionary.num_values = value ? 1 : 0;
    const std::string entry = value.value_or("");
    const std::string entries = value && has_length ? WithLength(entry) : entry;
    ROWFEED_ASSIGN_OR_RETURN(made.pages.dictionary,
                             MakePage(dictionary, entries, pool, &made.buffers));
  }
  // Rows before, within and after the wanted range get a page each, so that only one of
  // the pages is decoded.
  const int64_t bounds[] = {0, request.begin_row, request.end_row, request.group_rows};
  for (int i = 0; i < 3; ++i) {
    const int64_t num_rows = bounds[i + 1] - bounds[i];
    if (num_rows == 0) continue;
    PageHeader data;
    data.type = PageHeader::kData;
    data.num_values = static_cast<int32_t>(num_rows);
    data.encoding = is_boolean ? PageHeader::kPlain : PageHeader::kRleDictionary;
    std::string body;
    if (request.storage->max_repetition_level() > 0) {  // every row is a null list
      body = WithLength(EncodedRun(num_rows, false));
    }
    if (request.storage->max_definition_level > 0) {
      body += WithLength(EncodedRun(num_rows, value.has_value()));
    }
    body += ValuesOf(num_rows, value, is_boolean);
    ROWFEED_ASSIGN_OR_RETURN(const Page page,
                             MakePage(data, body, pool, &made.buffers));
    made.pages.data.push_back(page);
  }
  return made;
}

}  // namespace rowfeed
