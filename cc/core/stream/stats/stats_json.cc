// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <string_view>

#include "core/stream/stats/stats.h"

namespace rowfeed {
namespace {

// Writes JSON values one after the other, and the commas between them.
class JsonWriter {
 public:
  void Open(char bracket) {
    Separate();
    text_ += bracket;
  }
  void Close(char bracket) { text_ += bracket; }
  void Key(std::string_view name) {
    String(name);
    text_ += ':';
  }
  void Integer(int64_t value) {
    Separate();
    text_ += std::to_string(value);
  }
  void String(std::string_view value);
  std::string Finish() && { return std::move(text_); }

 private:
  void Separate() {
    const char last = text_.empty() ? '{' : text_.back();
    if (last != '{' && last != '[' && last != ':') text_ += ',';
  }

  std::string text_;
};

void JsonWriter::String(std::string_view value) {
  Separate();
  text_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      text_ += escaped;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

template <typename Names, typename Values>
void WriteNumbers(const Names& names, const Values& values, JsonWriter* json) {
  for (size_t i = 0; i < names.size(); ++i) {
    json->Key(names[i]);
    json->Integer(values[i]);
  }
}

void WriteTotals(const Totals& totals, JsonWriter* json) {
  WriteNumbers(EnumTable<Count>::kNames, totals.counts, json);
  json->Key("columns");
  json->Open('[');
  for (const auto& column : totals.columns) {
    json->Open('{');
    WriteNumbers(EnumTable<ColumnCount>::kNames, column, json);
    json->Close('}');
  }
  json->Close(']');
}

}  // namespace

std::string ToJson(const Stats& stats) {
  JsonWriter json;
  json.Open('{');
  json.Key("num_threads");
  json.Integer(stats.num_threads);
  json.Key("memory_budget_bytes");
  json.Integer(stats.memory_budget_bytes);
  WriteNumbers(EnumTable<Level>::kNames, stats.levels, &json);
  for (const bool is_name : {true, false}) {
    json.Key(is_name ? "names" : "codecs");
    json.Open('[');
    for (const CountedColumn& column : stats.columns) {
      json.String(is_name ? column.name : column.codec);
    }
    json.Close(']');
  }
  json.Key("totals");
  json.Open('{');
  WriteTotals(stats.totals, &json);
  json.Close('}');
  json.Key("epochs");
  json.Open('[');
  for (const EpochTotals& epoch : stats.epochs) {
    json.Open('{');
    json.Key("epoch");
    json.Integer(epoch.epoch);
    WriteTotals(epoch.totals, &json);
    json.Close('}');
  }
  json.Close(']');
  json.Close('}');
  return std::move(json).Finish();
}

}  // namespace rowfeed
