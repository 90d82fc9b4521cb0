# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`ParquetDataset` for NumPy."""

from __future__ import annotations

from rowfeed._stream.dataset import Dataset


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
