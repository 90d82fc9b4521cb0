# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# Imported targets for the Arrow C++ libraries inside the pyarrow wheel.
execute_process(
  COMMAND "${Python_EXECUTABLE}" -c
    "import pyarrow as p; print(p.__version__.split('.')[0], p.get_include(), p.get_library_dirs()[0], sep=';')"
  OUTPUT_VARIABLE pyarrow OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
list(GET pyarrow 0 PYARROW_MAJOR)
list(GET pyarrow 1 PYARROW_INCLUDE)
list(GET pyarrow 2 PYARROW_LIBRARIES)

foreach(name arrow parquet arrow_compute)
  string(REPLACE arrow_compute compute target ${name})
  add_library(PyArrow::${target} SHARED IMPORTED)
  set_target_properties(PyArrow::${target} PROPERTIES
    IMPORTED_LOCATION "${PYARROW_LIBRARIES}/lib${name}.so.${PYARROW_MAJOR}00"
    INTERFACE_INCLUDE_DIRECTORIES "${PYARROW_INCLUDE}"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${PYARROW_INCLUDE}")
endforeach()
target_link_libraries(PyArrow::parquet INTERFACE PyArrow::arrow)
target_link_libraries(PyArrow::compute INTERFACE PyArrow::arrow)
