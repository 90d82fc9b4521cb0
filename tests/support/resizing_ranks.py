# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks of PyTorch that go on in another process group."""

from __future__ import annotations

from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch.distributed

from rowfeed.torch import ParquetDataset


def _join(store: Path, rank: int, world_size: int) -> None:
    """Makes this process a rank of a new default group."""
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=world_size
    )


def _dataset(numbers: Path) -> Any:
    return ParquetDataset(
        numbers,
        7,
        columns=["id"],
        shuffle=True,
        seed=7,
        num_lanes=6,
        remainder="uneven",
    )


def _rows(batches: Any) -> list[int]:
    return [row for batch in batches for row in batch["id"].tolist()]


def leave_and_go_on(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    numbers: Path,
    folder: Path,
) -> tuple[list[int], list[int]]:
    """Makes four steps with all ranks, and goes on without the last one.

    Returns the rows of this rank in the first epoch and in the second.
    """
    _join(folder / "all", rank, world_size)
    train = _dataset(numbers)
    batches = iter(train)
    seen = _rows(islice(batches, 4))
    torch.distributed.barrier()
    if rank == world_size - 1:
        return seen, []
    _join(folder / "rest", rank, world_size - 1)
    train.resize()
    return seen + _rows(batches), _rows(train)


def disagree(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    numbers: Path,
    folder: Path,
) -> list[int]:
    """Resizes after a step more on rank 1, which is an error on both ranks."""
    train = ParquetDataset(
        numbers, 7, columns=["id"], num_lanes=6, rank=0, world_size=1
    )
    batches = iter(train)
    for _ in range(2 + rank):
        next(batches)
    _join(folder / "both", rank, world_size)
    train.resize()
    return _rows(batches)
