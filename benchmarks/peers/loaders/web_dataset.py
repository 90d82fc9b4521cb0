# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""webdataset: tar files of pickled rows, of the first row groups, under a WebLoader.

One file per row group, in random order, divided among the workers, each of which has
its part of the shuffle buffer and hands over whole batches. A row is one member of the
tar file: a member for each column would be a block of the file for each number. The
buffer is filled before the first row: until it is full, webdataset reads two for one.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pyarrow.parquet as pq
from benchmarks.peers.loaders import WINDOW_GROUPS, Open, Setup
from benchmarks.peers.loaders.rows import batch_of, kinds_of, rows_of

MAX_FILES = 3 * WINDOW_GROUPS


def convert(setup: Setup) -> None:
    """Writes the files, unless they are there."""
    webdataset = importlib.import_module("webdataset")
    folder = setup.converted("tar")
    folder.mkdir(parents=True, exist_ok=True)
    file = pq.ParquetFile(setup.path)
    for group in range(min(file.num_row_groups, MAX_FILES)):
        path = folder / f"{group:03}.tar"
        if path.exists():
            continue
        unfinished = path.with_suffix(".unfinished")
        with unfinished.open("wb") as tar, webdataset.TarWriter(tar) as writer:
            for index, row in enumerate(rows_of(file.read_row_group(group))):
                writer.write({"__key__": f"{group:03}-{index:06}", "pyd": row})
        unfinished.rename(path)


def load(*, workers: int) -> Open:
    """Imports webdataset."""
    webdataset = importlib.import_module("webdataset")

    def batches(setup: Setup) -> Iterator[Any]:
        names = sorted(map(str, setup.converted("tar").glob("*.tar")))
        kinds = kinds_of(setup.path)
        buffer = setup.buffer_rows // workers

        def collate(samples: list[tuple[dict[str, Any]]]) -> dict[str, Any]:
            return batch_of((row for (row,) in samples), kinds)

        rows = (
            webdataset.WebDataset(names, shardshuffle=len(names))
            .shuffle(buffer, initial=buffer)
            .decode()
            .to_tuple("pyd")
            .batched(setup.dataset.batch_size, collation_fn=collate)
        )
        loader = webdataset.WebLoader(
            rows, batch_size=None, num_workers=workers, persistent_workers=True
        )
        for _ in range(setup.epochs):
            yield from loader

    return batches
