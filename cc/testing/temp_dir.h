// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_TEMP_DIR_H_
#define ROWFEED_TESTING_TEMP_DIR_H_

#include <string>
#include <string_view>

namespace rowfeed::testing {

// A directory for one test. It is removed with all that is in it. Aborts if it cannot
// be made.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  // Returns path() + "/" + name.
  std::string File(std::string_view name) const;

 private:
  std::string path_;
};

// Read and write a whole file, and abort if that fails. Writing makes missing
// directories.
std::string ReadBytes(const std::string& path);
void WriteBytes(const std::string& path, std::string_view bytes);

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_TEMP_DIR_H_
