# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks row indices that users give; a negative index counts from the end."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Indices are ints, an array or tensor of integers, or a slice.
Indices: TypeAlias = "Iterable[int] | NDArray[np.integer[Any]] | slice"


def is_many(index: object) -> bool:
    """Returns whether an index is a slice or a sequence, and not that of one row."""
    if isinstance(index, (str, bytes)):
        return False
    return isinstance(index, slice) or (
        getattr(index, "ndim", 1) > 0 and hasattr(index, "__len__")
    )


def index_of(index: object, num_rows: int) -> int:
    """Returns the row, in [0, num_rows), that an index stands for.

    Raises:
        IndexError: The index is outside [-num_rows, num_rows).
        TypeError: The index is not an integer.
    """
    dtype = getattr(index, "dtype", np.int64)
    if isinstance(index, bool) or "int" not in str(dtype):
        raise TypeError(f"a row's index must be an int, not {index!r}")
    try:
        row = operator.index(index)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"a row's index must be an int, not {index!r}") from None
    if not -num_rows <= row < num_rows:
        raise IndexError(f"row {row} of a data set of {num_rows} rows")
    return row % num_rows


def rows_of(indices: Indices, num_rows: int) -> NDArray[np.int64]:
    """Returns the rows, in [0, num_rows), that indices stand for, in their order.

    Raises:
        IndexError: An index is outside [-num_rows, num_rows).
        TypeError: An index is not an integer, or `indices` is not a slice, a sequence
            or an array of one dimension.
    """
    if isinstance(indices, slice):
        return np.arange(*indices.indices(num_rows), dtype=np.int64)
    if hasattr(indices, "dtype"):
        return _rows_of_array(np.asarray(indices), num_rows)
    if isinstance(indices, (str, bytes)) or not isinstance(indices, Iterable):
        raise TypeError(
            f"indices must be a sequence or array of ints, or a slice, not {indices!r}"
        )
    listed = indices if isinstance(indices, list) else list(indices)
    if set(map(type, listed)) == {int}:
        try:
            return _rows_of_array(np.array(listed, np.int64), num_rows)
        except OverflowError:
            pass  # The loop of `index_of` below raises an error that names the index.
    return np.array([index_of(index, num_rows) for index in listed], np.int64)


def _rows_of_array(array: NDArray[Any], num_rows: int) -> NDArray[np.int64]:
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"indices must be integers in one dimension, not an array of "
            f"{array.dtype} and shape {array.shape}"
        )
    if array.dtype.kind == "i":
        array = array.astype(np.int64, copy=False)
        if len(array) and int(array.min()) < 0:
            array = np.where(array < 0, array + num_rows, array)
    outside = (array < 0) | (array >= num_rows)
    if outside.any():
        index = int(array[outside][0])
        index = index - num_rows if index < 0 else index  # The error shows it as given.
        raise IndexError(f"row {index} of a data set of {num_rows} rows")
    return array.astype(np.int64, copy=False)
