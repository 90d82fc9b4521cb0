# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the ranks of test_refresh_torch.py run, each in a process of its own."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch.utils.data

from rowfeed.torch import ParquetDataset

BEGUN = "begun"


def epochs(
    rank: int,  # noqa: ARG001
    world_size: int,  # noqa: ARG001
    pipe: Connection,
    path: Path,
    keywords: dict[str, Any],
) -> None:
    """Iterates an epoch, from a state if one comes, whenever the test says so."""
    dataset = ParquetDataset(path, 8, remainder="pad", **keywords)
    while True:
        state = pipe.recv()
        try:
            if state:
                dataset.load_state_dict(state)
            batches = iter(dataset)
            rows = valid_rows(next(batches))
            pipe.send(BEGUN)  # The others need not have listed.
            state = batches.state_dict()
            for batch in batches:
                rows += valid_rows(batch)
            pipe.send((rows, state))
        except Exception as error:
            pipe.send((type(error).__name__, str(error)))


def valid_rows(batch: Any) -> list[int]:
    rows: list[int] = batch["id"][batch["__valid"]].tolist()
    return rows


def looks(
    rank: int,
    world_size: int,  # noqa: ARG001
    pipe: Connection,  # noqa: ARG001
    path: Path,
    keywords: dict[str, Any],
) -> str:
    """Takes a batch more than the others on rank 1, then iterates."""
    dataset = ParquetDataset(path, 8, remainder="pad", **keywords)
    try:
        if rank == 1:
            next(iter(dataset))
        for _ in range(2):
            list(dataset)
    except ValueError as error:
        return str(error)
    return "no error"


def passes_in_workers(
    rank: int,  # noqa: ARG001
    world_size: int,  # noqa: ARG001
    pipe: Connection,
    path: Path,
    keywords: dict[str, Any],
) -> list[list[int]]:
    """Begins an epoch, and iterates it, the next one, and that again, in workers."""
    dataset = ParquetDataset(path, 8, remainder="pad", **keywords)
    loader = torch.utils.data.DataLoader(
        dataset, batch_size=None, num_workers=1, multiprocessing_context="spawn"
    )
    passes: list[list[int]] = []
    pipe.send(dataset.begin_epoch())
    for repeated in (None, None, 1):
        pipe.recv()
        if repeated is not None:
            dataset.set_epoch(repeated)
        passes.append([row for batch in loader for row in valid_rows(batch)])
        pipe.send(None)
    return passes
