# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of two ranks that wait for each other, and send what is said meanwhile."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch.distributed

from drifting_ranks import epochs
from rowfeed._ranks import store_wait
from rowfeed._ranks.store_wait import Wait
from rowfeed.torch import ParquetDataset

PATIENCE_S = 3  # Where the other rank waits in no dataset, and never tells a place.


class Program:
    """What a rank does."""

    def __init__(self, data: Path, rank: int) -> None:
        self.data, self.rank = data, rank

    def dataset(self, **keywords: Any) -> ParquetDataset:
        return ParquetDataset(self.data, 10, columns=["id"], **keywords)

    def other_order(self) -> None:
        """The ranks iterate two datasets, each in another order."""
        train, held = self.dataset(shuffle=True), self.dataset()
        train.set_epoch(4)
        torch.distributed.barrier()
        for dataset in (train, held) if self.rank == 0 else (held, train):
            epochs(dataset, 1)

    def evaluate_on_one(self) -> None:
        """Rank 0 evaluates on a dataset of both ranks; rank 1 goes on training."""
        train, held = self.dataset(shuffle=True), self.dataset()
        torch.distributed.barrier()
        for _ in range(2):
            epochs(train, 1)
            if self.rank == 0:
                epochs(held, 1)

    def evaluate_on_one_and_meet(self) -> None:
        """Rank 0 evaluates; rank 1 waits for it in a collective."""
        held = self.dataset()
        torch.distributed.barrier()
        if self.rank == 0:
            epochs(held, 1)
        torch.distributed.barrier()

    def make_on_one(self) -> None:
        """Rank 0 alone makes one more dataset, of its own."""
        train = self.dataset(shuffle=True)
        torch.distributed.barrier()
        if self.rank == 0:
            epochs(self.dataset(), 1)
        epochs(train, 1)


def run(
    rank: int,
    world_size: int,  # noqa: ARG001
    pipe: Connection,
    data: Path,
    program: str,
) -> None:
    """Runs a program, and sends each warning.

    A rank warns as soon as the other has told its place, however late that comes.
    """
    complain = Wait._complain

    def complain_when_told(self: Wait, whom: str | Callable[[], str]) -> None:
        is_told = self.places is not None and self.places._place(1 - rank)
        store_wait._PATIENCE_S = 0 if is_told else sys.maxsize  # type: ignore[misc]
        complain(self, whom)

    if program == "evaluate_on_one_and_meet":
        store_wait._PATIENCE_S = PATIENCE_S  # type: ignore[misc]
    else:
        Wait._complain = complain_when_told  # type: ignore[method-assign]
    warnings.simplefilter("always")
    warnings.showwarning = lambda message, *_: pipe.send(str(message))
    getattr(Program(data, rank), program)()
