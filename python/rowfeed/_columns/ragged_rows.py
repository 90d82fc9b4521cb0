# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The rows that masks and indices of a `Ragged` mean, and where their values lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def row_numbers(index: Any, num_rows: int) -> NDArray[np.int64]:
    """Returns the numbers, from 0 on, of the rows that a mask or indices stand for.

    Args:
        index: Array, tensor or list of one dimension, of bools or of integers.
        num_rows: Number of rows.

    Raises:
        IndexError: There is no such row, or a mask has another length than the rows.
        TypeError: `index` is neither a mask nor integers.
    """
    given = np.asarray(index.cpu() if getattr(index, "is_cuda", False) else index)
    is_mask, is_empty_list = given.dtype == bool, given.shape == (0,)
    if given.ndim != 1 or not (is_mask or is_empty_list or given.dtype.kind in "iu"):
        raise TypeError(
            "the index of a Ragged must be a row number, a slice, a mask of bools with "
            "one flag per row, or a one-dimensional array or list of row numbers, not "
            f"{index!r}"
        )
    if is_mask:
        if len(given) != num_rows:
            raise IndexError(f"mask of {len(given)} rows for a Ragged of {num_rows}")
        return np.flatnonzero(given)
    wrong = given[(given < -num_rows) | (given >= num_rows)]
    if wrong.size:
        raise IndexError(f"row {wrong[0]} of {num_rows}")
    numbers = given.astype(np.int64)
    return np.where(numbers < 0, numbers + num_rows, numbers)


def gathered(
    offsets: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the offsets of some rows when they lie end to end, and their elements.

    Args:
        offsets: Offsets of all rows.
        rows: Numbers of the rows to gather, from 0 on.

    Returns:
        Offsets of the gathered rows, and the position of each of their elements among
        the elements of all rows.
    """
    begins = offsets[rows]
    lengths = offsets[rows + 1] - begins
    ends = np.cumsum(lengths)
    moved = np.repeat(begins - (ends - lengths), lengths)
    return np.concatenate([[0], ends]), moved + np.arange(len(moved))
