# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet by index, as PyTorch tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch.utils.data import Dataset, default_collate

from rowfeed._take.map_dataset import MapDataset
from rowfeed._torch.collate import row_of
from rowfeed._torch.elements import TorchElements


class ParquetMapDataset(TorchElements, MapDataset, Dataset[Any]):
    """Rows of Parquet files by index, as tensors: for samplers and `DataLoader`.

    `dataset[i]` is row i, a dict from column name to tensor, as `ParquetDataset` with
    `batch_size=None` delivers it. `dataset[indices]` is `dataset.take(indices)`, a
    batch of rows in the order of the indices. Tensors are [batch], [batch, list_size]
    for fixed-size lists, or `Ragged`; they share the kernel's memory.

    A DataLoader with `collate_fn=ParquetMapDataset.collate` delivers such batches as
    they are made, with any sampler, in `Subset` too. Without it, default_collate takes
    the batch apart into rows and stacks them again, which is slow, and fails if lists
    have different lengths. Rows are decoded by rowfeed's threads, so no workers are
    needed. Each worker would keep decoded rows of its own in memory.

    Rows for every epoch in a random order are faster from `ParquetDataset`, which reads
    every page once; this class is for indices that a sampler chooses.

    See `rowfeed.ParquetMapDataset` for what is read and kept in memory, and
    `ParquetMapDataset.__init__` for the keywords. There is no `transform`.

    Example:
        >>> rows = ParquetMapDataset("data", label="clicked")  # doctest: +SKIP
        >>> loader = torch.utils.data.DataLoader(
        ...     rows, 256, shuffle=True, collate_fn=rows.collate
        ... )  # doctest: +SKIP
        >>> for features, clicked in loader:  # doctest: +SKIP
        ...     print(clicked.mean())
    """

    def __getitems__(self, indices: list[int]) -> Rows:
        """Returns the rows of several indices, for `DataLoader` and `Subset`."""
        return Rows(self.take(indices), len(indices))

    @staticmethod
    def collate(rows: Sequence[Any]) -> Any:
        """Returns the batch of `rows`; it is the `collate_fn` for a DataLoader.

        Args:
            rows: Rows that `__getitems__` returned. Other rows, such as those of a
                `ConcatDataset`, which asks for rows one by one, are collated by
                PyTorch's default_collate.
        """
        return rows.batch if isinstance(rows, Rows) else default_collate(list(rows))


class Rows(Sequence[Any]):
    """The rows of a batch, as a sequence of views.

    Attributes:
        batch: Element of all rows, with the batch dimension.
    """

    def __init__(self, batch: Any, size: int) -> None:
        """Makes the sequence of the `size` rows of a batch."""
        self.batch = batch
        self._size = size

    def __len__(self) -> int:
        """Returns the number of rows."""
        return self._size

    def __getitem__(self, index: Any) -> Any:
        """Returns a row without the batch dimension; for a slice, a list of rows."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(f"row {index} of {self._size}")
        return row_of(self.batch, index % self._size)
