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
    `batch_size=None` has it; `dataset[indices]`, which is `dataset.take(indices)`, a
    batch of rows in the order asked for. Tensors are [batch], [batch, list_size] for
    fixed-size lists, or `Ragged`; they are the kernel's own memory.

    A DataLoader with `collate_fn=ParquetMapDataset.collate` delivers such batches as
    they are made, with any sampler, in `Subset` too. Without it, default_collate takes
    the batch apart into rows and puts them together again, which is slow, and cannot be
    done where lists have different lengths. Rows are decoded by rowfeed's threads, so
    no workers are needed; each of them keeps rows of its own.

    Rows for every epoch in a random order are faster from `ParquetDataset`, which reads
    every page once; this class is for indices that a sampler chooses.

    What is read and kept, and that there is no `transform`, is as in
    `rowfeed.ParquetMapDataset`; the keywords are documented in
    `ParquetMapDataset.__init__`.

    Example:
        >>> rows = ParquetMapDataset("data", label="clicked")  # doctest: +SKIP
        >>> loader = torch.utils.data.DataLoader(
        ...     rows, 256, shuffle=True, collate_fn=rows.collate
        ... )  # doctest: +SKIP
        >>> for features, clicked in loader:  # doctest: +SKIP
        ...     print(clicked.mean())
    """

    def __getitems__(self, indices: list[int]) -> Rows:
        """Returns rows by index, for `DataLoader` and `Subset`, taken together."""
        return Rows(self.take(indices), len(indices))

    @staticmethod
    def collate(rows: Sequence[Any]) -> Any:
        """Returns the batch that `rows` are of: the `collate_fn` of a DataLoader.

        Args:
            rows: What `__getitems__` returned. Other rows (of a `ConcatDataset`, which
                asks for one by one) are collated as torch does.
        """
        return rows.batch if isinstance(rows, Rows) else default_collate(list(rows))


class Rows(Sequence[Any]):
    """The rows of a batch, as a sequence of views.

    Attributes:
        batch: The batch, with the batch dimension.
    """

    def __init__(self, batch: Any, size: int) -> None:
        """Takes a batch of `size` rows."""
        self.batch = batch
        self._size = size

    def __len__(self) -> int:
        """Returns the number of rows."""
        return self._size

    def __getitem__(self, index: Any) -> Any:
        """Returns one row, without the batch dimension; of a slice, a list."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(f"row {index} of {self._size}")
        return row_of(self.batch, index % self._size)
