# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Bounds of a column that files store in other types than they are delivered in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from rowfeed._columns.dtypes import BYTES

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field

_PER_SECOND: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def stored_in(field: Field, type_: pa.DataType) -> Field | None:
    """Returns a column as a file has it whose type is not that of the data set.

    Args:
        field: The column, as the data set has it.
        type_: Type of the column in the file.

    Returns:
        The column with the file's unit and kind of dtype. None if values of both types
        have no order in common, such as text and bytes.
    """
    if field.unit:
        unit = getattr(type_, "unit", "")
        are_alike = {unit, field.unit} <= {*_PER_SECOND}
        return replace(field, unit=unit) if are_alike else None
    if field.dtype in BYTES:
        return field if (field.dtype == "string") == _is_text(type_) else None
    if pa.types.is_float16(type_):
        return replace(field, dtype="float16")
    is_integer = pa.types.is_integer(type_) or pa.types.is_boolean(type_)
    if is_integer or pa.types.is_floating(type_) or pa.types.is_decimal(type_):
        return replace(field, dtype="int64" if is_integer else "float64")
    return None


def delivered(value: Any, stored: Field, wanted: Field) -> Any:
    """Returns a bound in the form in which the values of its column are delivered.

    Args:
        value: Lower or upper bound, in the form of `stored`.
        stored: The column, as a file has it.
        wanted: The column, as it is delivered.
    """
    if stored.unit in _PER_SECOND and wanted.unit in _PER_SECOND:
        return value * _PER_SECOND[wanted.unit] // _PER_SECOND[stored.unit]
    is_number = isinstance(value, int) and not stored.unit
    return float(value) if is_number and "float" in wanted.dtype else value


def _is_text(type_: pa.DataType) -> bool:
    if pa.types.is_dictionary(type_):
        return _is_text(type_.value_type)
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))
