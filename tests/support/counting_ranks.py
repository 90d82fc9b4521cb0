# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the ranks of test_shared_count.py run, each in a process of its own."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import rowfeed
from rowfeed.torch import ParquetDataset

FILTER = [("x", "<", 0.0)]  # Half of all rows, anywhere.


def bytes_read() -> int:
    with Path("/proc/self/io").open() as file:
        return int(dict(line.split(": ") for line in file)["rchar"])


def count(
    rank: int,
    world_size: int,  # noqa: ARG001
    pipe: Connection,  # noqa: ARG001
    paths: list[Path],
    keywords: dict[str, Any],
    who_knows: int,
) -> tuple[int, int, list[int]]:
    """Returns the bytes read to count, the steps, and the rows of this rank."""
    catalogs = [rowfeed.Catalog.open(path) for path in paths]
    datasets = [
        ParquetDataset(
            catalog, 1000, columns=["id"], filter=FILTER, num_threads=1, **keywords
        )
        for catalog in catalogs
    ]
    dataset = datasets[0] if len(datasets) == 1 else rowfeed.mix(datasets)
    if rank == who_knows:
        len(dataset)
    batches = iter(dataset)
    before = bytes_read()
    batches._begin()  # Reads nothing but what counting takes.
    read = bytes_read() - before
    rows = [row for batch in batches for row in batch["id"].tolist()]
    return read, len(dataset), rows
