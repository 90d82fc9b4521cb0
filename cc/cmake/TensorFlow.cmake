# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# Imported targets for the tensorflow wheel, which is found without importing it.
execute_process(
  COMMAND "${Python_EXECUTABLE}" -c
    "import importlib.util as u; print(u.find_spec('tensorflow').submodule_search_locations[0])"
  OUTPUT_VARIABLE TENSORFLOW_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)

foreach(name framework cc)
  add_library(TensorFlow::${name} SHARED IMPORTED)
  set_target_properties(TensorFlow::${name} PROPERTIES
    IMPORTED_LOCATION "${TENSORFLOW_DIR}/libtensorflow_${name}.so.2"
    INTERFACE_INCLUDE_DIRECTORIES "${TENSORFLOW_DIR}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${TENSORFLOW_DIR}/include"
    # The value in tf.sysconfig.get_compile_flags(): the alignment of tensors is inline
    # code, which must agree with TensorFlow's.
    INTERFACE_COMPILE_DEFINITIONS EIGEN_MAX_ALIGN_BYTES=64)
endforeach()
