// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "testing/temp_dir.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace rowfeed::testing {
namespace {

[[noreturn]] void Die(const char* what, const std::string& path) {
  std::fprintf(stderr, "%s %s failed\n", what, path.c_str());
  std::abort();
}

}  // namespace

TempDir::TempDir() {
  std::string pattern = std::filesystem::temp_directory_path() / "rowfeed_test_XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) Die("mkdtemp", pattern);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;  // a test may have taken permissions away
  std::filesystem::remove_all(path_, ignored);
}

std::string TempDir::File(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Die("reading", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteBytes(const std::string& path, std::string_view bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) Die("writing", path);
}

}  // namespace rowfeed::testing
