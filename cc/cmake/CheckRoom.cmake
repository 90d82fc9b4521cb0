# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DROOM= -DFILES= -DMAY_INCLUDE= -DCHECKED= -P CheckRoom.cmake: checks which rooms
# the FILES of a room of the core include. Fails if a file includes a room that is not in
# MAY_INCLUDE, which has the room's entry in core/rooms.bzl. Else touches CHECKED.
set(refused "")
foreach(file IN LISTS FILES)
  file(STRINGS "${file}" lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" header "${line}")
    if(header MATCHES "^core/(arrow_)?[^/]*$")
      set(needed ground)
      if(CMAKE_MATCH_1)
        set(needed "@arrow//")
      endif()
    elseif(header MATCHES "^core/(.*)/[^/]*$")
      set(needed "${CMAKE_MATCH_1}")
    elseif(header MATCHES "^(arrow|parquet)/")
      set(needed "@arrow//")
    else()
      set(needed "${header}")
    endif()
    set(allowed ${MAY_INCLUDE} ${ROOM})
    if(ROOM STREQUAL ground)
      list(APPEND allowed "@arrow//")
    endif()
    list(TRANSFORM allowed REPLACE "^@arrow//:.*" "@arrow//")
    if(NOT needed IN_LIST allowed)
      string(APPEND refused "\n${file} includes ${header}, but the list of "
        "cc/core/rooms.bzl does not name ${needed} for the room ${ROOM}.")
    endif()
  endforeach()
endforeach()
if(refused)
  message(FATAL_ERROR "${refused}")
endif()
file(TOUCH "${CHECKED}")
