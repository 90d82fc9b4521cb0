# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a loader delivers every row once, all columns of it, and shuffled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from datasets import DATASETS, VERSION
from loaders import Loader, Setup

GROUPS, GROUP_ROWS, WINDOW, BATCH = 12, 1000, 4000, 250


@dataclass(frozen=True)
class Delivery:
    """What an epoch delivered.

    Attributes:
        rows: Rows, each once.
        groups_per_batch: From how many row groups the rows of a batch came, on average.
    """

    rows: int
    groups_per_batch: float


def check_delivery(loader: Loader, folder: Path, threads: int) -> Delivery:
    """Loads one epoch of a small data set like N, and compares it with the file."""
    order = {"shuffle_window": WINDOW}
    dataset = replace(
        DATASETS["N"], group_rows=GROUP_ROWS, batch_size=BATCH, order=order
    )
    setup = Setup(_small(folder), dataset, folder, threads, epochs=1)
    loader.convert(setup)
    batches = loader.load()(setup)
    if loader.graph:
        batches = batches.as_numpy_iterator()
    parts = [{name: np.asarray(v) for name, v in batch.items()} for batch in batches]
    return _compared(parts, pq.read_table(setup.path))


def _compared(parts: list[dict[str, Any]], table: pa.Table) -> Delivery:
    rows = np.concatenate([part["row"] for part in parts])
    if not np.array_equal(np.sort(rows), np.arange(table.num_rows)):
        raise ValueError(f"{len(rows)} rows, {len(np.unique(rows))} of them different")
    for name in table.column_names:
        delivered = np.concatenate([part[name] for part in parts])
        expected = table[name].to_numpy()
        if delivered.shape != expected.shape or delivered.dtype != expected.dtype:
            raise ValueError(f"{name}: {delivered.dtype}{delivered.shape}")
        if not np.array_equal(delivered, expected[rows]):
            raise ValueError(f"{name}: not the values of its rows")
    groups = [len(np.unique(part["row"] // GROUP_ROWS)) for part in parts]
    if np.mean(groups) < 2 or np.mean(np.diff(rows) == 1) > 0.01:
        raise ValueError(f"not shuffled: {np.mean(groups)} row groups a batch")
    return Delivery(len(rows), float(np.mean(groups)))


def _small(folder: Path) -> Path:
    path = folder / f"check-v{VERSION}-{GROUPS * GROUP_ROWS}.parquet"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(VERSION)
    table = DATASETS["N"].make_group(random, range(GROUPS * GROUP_ROWS))
    unfinished = path.with_suffix(".unfinished")
    pq.write_table(table, unfinished, row_group_size=GROUP_ROWS)
    return unfinished.rename(path)
