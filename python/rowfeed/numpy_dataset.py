# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Parquet as NumPy arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rowfeed.dataset import Dataset
from rowfeed.features import VALID


class ArraySpec(NamedTuple):
    """The dtype and shape of an array; None stands for lengths that vary.

    Strings, binaries and lists of any length are `Ragged`: `dtype` is that of the
    values (uint8 for bytes) and the last length of `shape` is None.
    """

    dtype: np.dtype[np.generic]
    shape: tuple[int | None, ...]


class ParquetDataset(Dataset):
    """Rows of Parquet files, shuffled, sharded and resumable, as NumPy arrays.

    Elements are dicts from column name to array, or `(features, label)` tuples; arrays
    are [batch], [batch, list_size] for fixed-size lists, or `Ragged`. They belong to
    the receiver: they may be written to and stay unchanged as long as they are kept.
    Null values are refused unless the column has a fill: see `rowfeed.Column`.

    The dataset is parameters; each `iter` takes the next epoch when it begins. The
    keywords are documented in `ParquetDataset.__init__`.

    Example:
        >>> dataset = ParquetDataset("data", 256, shuffle=True)  # doctest: +SKIP
        >>> for batch in dataset:  # doctest: +SKIP
        ...     print(batch["price"].mean())
    """

    @property
    def element_spec(self) -> dict[str, ArraySpec]:
        """The dtype and shape of every column delivered, label and weight included."""
        rows = () if self.resolved.rows else (self.resolved.static_batch_size,)
        specs = {}
        for name, column in self.resolved.columns.items():
            is_bytes = column.dtype in ("string", "binary")
            row: tuple[int | None, ...] = ()
            if column.shape == "ragged" or is_bytes:
                row = (None,)
            elif column.shape == "dense":
                row = (column.list_size,)
            dtype = np.dtype("uint8" if is_bytes else column.dtype)
            specs[name] = ArraySpec(dtype, (*rows, *row))
        if self.resolved.layout.padded:
            specs[VALID] = ArraySpec(np.dtype(np.bool_), rows)
        return specs
