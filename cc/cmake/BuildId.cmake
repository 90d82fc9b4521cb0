# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# Sets ROWFEED_BUILD_ID, which tells the kernel library of this build from that of another:
# the version, and a digest of all that decides the layout of the core's classes. It is made
# when CMake configures, as setup.py does before each build.
file(STRINGS "${PROJECT_SOURCE_DIR}/../pyproject.toml" version REGEX "^version = ")
string(REGEX REPLACE "^version = \"(.*)\"$" "\\1" version "${version}")
file(GLOB_RECURSE sources LIST_DIRECTORIES OFF
  "${PROJECT_SOURCE_DIR}/core/*.h" "${PROJECT_SOURCE_DIR}/core/*.cc")
list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
set(digests "${PYARROW_MAJOR} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
foreach(source IN LISTS sources)
  file(SHA256 "${source}" digest)
  string(APPEND digests " ${digest}")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING "${digest}" 0 12 digest)
set(ROWFEED_BUILD_ID "${version}-${digest}")

# Tells SOURCE, a file of the calling folder, the build's id. Only few files are told, so
# that another id compiles nothing else again.
function(rowfeed_knows_build_id source)
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS "ROWFEED_BUILD_ID=\"${ROWFEED_BUILD_ID}\"")
endfunction()
