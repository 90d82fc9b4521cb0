# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a loader delivers every row once, with all columns, and shuffled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.datasets import DATASETS, VERSION
from benchmarks.peers.loaders import Loader, Setup
from benchmarks.peers.loaders.columns import array_of

from rowfeed import Ragged

GROUPS, GROUP_ROWS, WINDOW, BATCH = 12, 1000, 4000, 250


@dataclass(frozen=True)
class Delivery:
    """Result of the check of an epoch.

    Attributes:
        rows: Number of rows delivered, each once.
        groups_per_batch: Mean number of row groups from which a batch has rows.
    """

    rows: int
    groups_per_batch: float


def check_delivery(loader: Loader, folder: Path, threads: int) -> Delivery:
    """Loads one epoch of a small data set, and compares it with the file.

    The data set is like N, with a column each of strings, binaries and lists added.
    """
    order = {"shuffle_window": WINDOW}
    dataset = replace(
        DATASETS["N"], group_rows=GROUP_ROWS, batch_size=BATCH, order=order
    )
    setup = Setup(_small(folder), dataset, folder, threads, epochs=1)
    loader.convert(setup)
    batches = loader.load()(setup)
    if loader.graph:
        batches = batches.as_numpy_iterator()
    parts = [{name: _rows(v) for name, v in batch.items()} for batch in batches]
    return _compared(parts, pq.read_table(setup.path))


def _rows(column: Any) -> np.ndarray[Any, Any]:
    """Returns an array with an entry per row; its bytes, if rows differ in length."""
    if hasattr(column, "row_splits"):  # The column is a tensor of TensorFlow.
        column = Ragged(column.values, column.row_splits)
    if isinstance(column, Ragged):
        values, offsets = np.asarray(column.values), np.asarray(column.offsets)
        rows = [values[begin:end].tobytes() for begin, end in pairwise(offsets)]
    elif np.asarray(column).dtype == object:
        rows = [row if isinstance(row, bytes) else row.tobytes() for row in column]
    else:
        return np.asarray(column)
    return np.array(rows, object)


def _compared(parts: list[dict[str, Any]], table: pa.Table) -> Delivery:
    rows = np.concatenate([part["row"] for part in parts])
    if not np.array_equal(np.sort(rows), np.arange(table.num_rows)):
        raise ValueError(f"{len(rows)} rows, {len(np.unique(rows))} of them different")
    for name in table.column_names:
        delivered = np.concatenate([part[name] for part in parts])
        expected = _rows(array_of(table[name]))
        if delivered.shape != expected.shape or delivered.dtype != expected.dtype:
            raise ValueError(f"{name}: {delivered.dtype}{delivered.shape}")
        if not np.array_equal(delivered, expected[rows]):
            raise ValueError(f"{name}: not the values of its rows")
    groups = [len(np.unique(part["row"] // GROUP_ROWS)) for part in parts]
    if np.mean(groups) < 2 or np.mean(np.diff(rows) == 1) > 0.01:
        raise ValueError(f"not shuffled: {np.mean(groups)} row groups a batch")
    return Delivery(len(rows), float(np.mean(groups)))


def _small(folder: Path) -> Path:
    path = folder / f"delivery-v{VERSION}-{GROUPS * GROUP_ROWS}.parquet"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(VERSION)
    numbers = range(GROUPS * GROUP_ROWS)
    table = DATASETS["N"].make_group(random, numbers)
    texts = [f"row {i}" * (i % 3) for i in numbers]
    table = table.append_column("text", pa.array(texts))
    table = table.append_column("binary", pa.array([text.encode() for text in texts]))
    lists = [[i] * (1 + i % 4) for i in numbers]  # MDS cannot store empty arrays.
    table = table.append_column("list", pa.array(lists, pa.list_(pa.int64())))
    unfinished = path.with_suffix(".unfinished")
    pq.write_table(table, unfinished, row_group_size=GROUP_ROWS)
    return unfinished.rename(path)
