# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A loader that a careful user could write with pyarrow and PyTorch.

Row groups in random order; as many as a window has are read from the mapped file, with
all threads, into one array per column, their rows permuted, and cut into batches. A
thread does this for the next window while the batches of one are consumed. Lists and
strings stay Arrow's until their batch is cut, since it permutes them faster.

DataLoader workers send every tensor through shared memory of its own. Packed, equal
columns go as the rows of one tensor, which the process that gets it takes apart.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.peers.loaders import WINDOW_GROUPS, Open, Setup
from benchmarks.peers.loaders.columns import array_of, is_ragged, tensors_of

from rowfeed import Ragged

Array: TypeAlias = np.ndarray[Any, Any]
Columns: TypeAlias = dict[str, Array | pa.Array]
# The row groups of a window, and the generator that permutes their rows.
Window: TypeAlias = tuple[list[int], np.random.Generator]


def load(workers: int = 0, *, packed: bool = False) -> Open:
    """Imports torch; `workers` are the processes of a DataLoader."""
    from torch.utils.data import DataLoader, IterableDataset, get_worker_info

    # PyTorch warns of lists and strings, whose memory is Arrow's and read-only.
    warnings.filterwarnings("ignore", "The given NumPy array is not writable")

    class Batches(IterableDataset):  # type: ignore[misc,type-arg]
        def __init__(self, setup: Setup) -> None:
            self.setup = setup

        def __iter__(self) -> Iterator[Any]:
            info = get_worker_info()
            share = (0, 1) if info is None else (info.id, info.num_workers)
            for batch in shuffled_batches(self.setup, *share):
                arrays = ready(batch)
                yield tensors_of(_pack(arrays) if packed else arrays)

    def batches(setup: Setup) -> Any:
        rows = Batches(setup)
        if not workers:
            return rows
        loader = DataLoader(rows, batch_size=None, num_workers=workers)
        return map(_unpack, loader) if packed else loader

    return batches


def ready(batch: Columns) -> dict[str, Array | Ragged]:
    """Returns a batch with arrays and Ragged in the place of Arrow's columns."""
    return {
        name: array_of(column) if isinstance(column, pa.Array) else column
        for name, column in batch.items()
    }


def _pack(batch: dict[str, Array | Ragged]) -> dict[tuple[str, ...], Any]:
    """Returns one array of each type and shape, under the names of its columns."""
    alike: dict[Any, list[str]] = {}
    for name, values in batch.items():
        kind = name if isinstance(values, Ragged) else (values.dtype, values.shape)
        alike.setdefault(kind, []).append(name)
    return {
        tuple(names): np.stack([batch[name] for name in names])
        if len(names) > 1
        else batch[names[0]]
        for names in alike.values()
    }


def _unpack(sent: dict[tuple[str, ...], Any]) -> dict[str, Any]:
    return {
        name: column
        for names, tensor in sent.items()
        for name, column in zip(
            names, tensor.unbind() if len(names) > 1 else [tensor], strict=True
        )
    }


def shuffled_batches(
    setup: Setup, share: int = 0, shares: int = 1
) -> Iterator[Columns]:
    """Yields the batches of every `shares`-th window."""
    pa.set_cpu_count(max(1, setup.threads // shares))
    file = pq.ParquetFile(setup.path, memory_map=True)
    plan = windows(file.num_row_groups, setup.epochs, share, shares)
    return batches_of(plan, file.read_row_groups, setup.dataset.batch_size)


def batches_of(
    plan: Iterable[Window], read: Callable[[list[int]], pa.Table], size: int
) -> Iterator[Columns]:
    """Yields batches of `size` of the windows of a plan, each read ahead of its turn.

    Args:
        plan: Windows, as `windows` yields them.
        read: Function that returns the rows of some row groups.
        size: Number of rows in a batch; the last one of a window may be shorter.
    """
    with ThreadPoolExecutor(1) as ahead:
        reading = None
        for window in plan:
            done, reading = reading, ahead.submit(_read_shuffled, read, *window)
            if done is not None:
                yield from _cut(done.result(), size)
        if reading is not None:
            yield from _cut(reading.result(), size)


def windows(
    num_groups: int, epochs: int, share: int = 0, shares: int = 1
) -> Iterator[Window]:
    """Yields row groups and random numbers for each window of a worker."""
    for epoch in range(epochs):
        order = np.random.default_rng(epoch).permutation(num_groups).tolist()
        starts = range(0, num_groups, WINDOW_GROUPS)[share::shares]
        for start in starts:
            random = np.random.default_rng([epoch, start])
            yield order[start : start + WINDOW_GROUPS], random


def _read_shuffled(
    read: Callable[[list[int]], pa.Table],
    groups: list[int],
    random: np.random.Generator,
) -> Columns:
    table = read(groups)
    rows = random.permutation(table.num_rows)
    return {
        name: column.combine_chunks().take(pa.array(rows))
        if is_ragged(column.type)
        else array_of(column).take(rows, axis=0)
        for name, column in zip(table.column_names, table.columns, strict=True)
    }


def _cut(columns: Columns, size: int) -> Iterator[Columns]:
    """Yields slices of `size` rows; the last may be shorter."""
    rows = len(next(iter(columns.values())))
    for begin in range(0, rows, size):
        yield {name: v[begin : begin + size] for name, v in columns.items()}
