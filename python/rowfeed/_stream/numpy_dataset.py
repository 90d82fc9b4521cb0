# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`ParquetDataset` for NumPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rowfeed._columns import dtypes
from rowfeed._native import core
from rowfeed._stream.dataset import Dataset


class ArraySpec(NamedTuple):
    """The dtype and shape of an array; None in the shape stands for any length.

    For strings, binaries and lists of any length, which are `Ragged`, `dtype` is the
    dtype of the values (uint8 for bytes), and `shape` has None for the ragged levels.
    """

    dtype: np.dtype[np.generic]
    shape: tuple[int | None, ...]


class ParquetDataset(Dataset):
    """Rows of Parquet files, shuffled, sharded and resumable, as NumPy arrays.

    Elements are dicts from column name to array, or `(features, label)` tuples; arrays
    are [batch], [batch, list_size] for fixed-size lists, or `Ragged`. They belong to
    the receiver: they may be written to and stay unchanged as long as they are kept.
    Null values are refused unless the column has a fill: see `rowfeed.Column`.

    Each iteration takes the next epoch when its first element is asked for. The
    keywords are documented in `ParquetDataset.__init__`.

    Example:
        >>> dataset = ParquetDataset("data", 256, shuffle=True)  # doctest: +SKIP
        >>> for batch in dataset:  # doctest: +SKIP
        ...     print(batch["price"].mean())
    """

    @property
    def element_spec(self) -> Any:
        """Element with an `ArraySpec` in the place of each array.

        With `transform` it describes the argument of that function, not its result.
        """
        rows = () if self._parameters.single else (self._parameters.static_batch_size,)
        return self._parameters.layout.arrange(
            [spec_of(column, rows) for column in self._parameters.outputs],
            ArraySpec(np.dtype(np.bool_), rows),
            lambda _: ArraySpec(np.dtype(np.float32), rows),
        )


def spec_of(column: core.Column, rows: tuple[int | None, ...]) -> ArraySpec:
    """Returns the spec of a column's arrays, whose shape begins with `rows`."""
    is_bytes = column.dtype in dtypes.BYTES
    ragged = column.ragged_rank + int(is_bytes)
    dtype = dtypes.to_numpy("uint8" if is_bytes else column.dtype)
    return ArraySpec(dtype, (*rows, *[None] * ragged, *column.dense_shape))
