# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# Imported targets for each TensorFlow minor that ROWFEED_TENSORFLOW names, as in
# TensorFlow::framework_2_21, and the list of these minors, TENSORFLOW_MINORS. The program
# below explains the values of ROWFEED_TENSORFLOW.
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env "CC=${CMAKE_CXX_COMPILER}" "${Python_EXECUTABLE}"
    "${PROJECT_SOURCE_DIR}/../tools/tensorflow_headers.py" "${ROWFEED_TENSORFLOW}"
  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)

string(REPLACE "\n" ";" found "${found}")
set(TENSORFLOW_MINORS "")
foreach(line IN LISTS found)
  string(REGEX MATCH "^([0-9]+)[.]([0-9]+)=(.+)$" _ "${line}")
  set(minor ${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
  set(folder "${CMAKE_MATCH_3}")
  list(APPEND TENSORFLOW_MINORS ${minor})
  foreach(name framework cc)
    add_library(TensorFlow::${name}_${minor} SHARED IMPORTED)
    set_target_properties(TensorFlow::${name}_${minor} PROPERTIES
      IMPORTED_LOCATION "${folder}/libtensorflow_${name}.so.2"
      INTERFACE_INCLUDE_DIRECTORIES "${folder}/include"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${folder}/include"
      # The value in tf.sysconfig.get_compile_flags(): the alignment of tensors is inline
      # code, which must agree with TensorFlow's.
      INTERFACE_COMPILE_DEFINITIONS EIGEN_MAX_ALIGN_BYTES=64)
  endforeach()
endforeach()
