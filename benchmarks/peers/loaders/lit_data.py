# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""litData: its own chunks, of the first rows, under its StreamingDataLoader.

It shuffles chunks, and within them: a chunk has as many rows as a window. By default
the same 256 neighbours stay together, so this asks for whole chunks to be shuffled, and
decoded at once, since a block of rows is decoded for any row of it. From its Parquet
loader that would keep the whole file in memory, as Python's lists.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from benchmarks.peers.loaders import Open, Setup
from benchmarks.peers.loaders.rows import batch_of, kinds_of, rows_of

CHUNKS_PER_WORKER = 2  # The most chunks that are written for each worker.


def convert(setup: Setup) -> None:
    """Writes the files, unless they are there."""
    folder = setup.converted("litdata")
    if folder.exists():
        return
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    for name in ("", "_DATA"):
        os.environ[f"DATA_OPTIMIZER{name}_CACHE_FOLDER"] = str(unfinished / "cache")
    size = _chunk_rows(setup)
    chunks = -(-pq.read_metadata(setup.path).num_rows // size)
    importlib.import_module("litdata").optimize(
        partial(_rows, setup.path, size),
        [*range(min(chunks, CHUNKS_PER_WORKER * setup.threads))],
        str(unfinished / "rows"),
        chunk_size=size,
        num_workers=setup.threads,
        keep_data_ordered=True,
        verbose=False,
    )
    (unfinished / "rows").rename(folder)
    shutil.rmtree(unfinished)


def load(*, workers: int) -> Open:
    """Imports litdata and torch."""
    litdata = importlib.import_module("litdata")

    def batches(setup: Setup) -> Iterator[Any]:
        rows = litdata.StreamingDataset(
            str(setup.converted("litdata")),
            shuffle=True,
            item_shuffle_window="full",
            batch_decode="all",
        )
        loader = litdata.StreamingDataLoader(
            rows,
            batch_size=setup.dataset.batch_size,
            num_workers=workers,
            collate_fn=partial(batch_of, kinds=kinds_of(setup.path)),
            persistent_workers=True,
        )
        for _ in range(setup.epochs):
            yield from loader

    return batches


def _chunk_rows(setup: Setup) -> int:
    """Returns whole batches: then no two workers need the same chunk."""
    return setup.window_rows // setup.dataset.batch_size * setup.dataset.batch_size


def _rows(path: Path, size: int, chunk: int) -> Iterator[dict[str, Any]]:
    file = pq.ParquetFile(path)
    group_rows = file.metadata.row_group(0).num_rows
    begin, end = chunk * size, min((chunk + 1) * size, file.metadata.num_rows)
    groups = range(begin // group_rows, -(-end // group_rows))
    table = file.read_row_groups([*groups])
    table = table.slice(begin - groups.start * group_rows, end - begin)
    yield from rows_of(table)
