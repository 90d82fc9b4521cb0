# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of two ranks, one of which does what the other does not."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
import torch.distributed
from torch.utils.data import DataLoader

import rowfeed
from rowfeed.torch import ParquetDataset

OPTIONS: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 7}


class Program:
    """What a rank does with its dataset."""

    def __init__(self, data: Path, rank: int) -> None:
        self.data, self.rank = data, rank

    def dataset(self, batch_size: int = 10, **keywords: Any) -> ParquetDataset:
        return ParquetDataset(self.data, batch_size, **{**OPTIONS, **keywords})

    def peek_before(self, **keywords: Any) -> Any:
        train = self.dataset(**keywords)
        if self.rank == 0:
            next(iter(train))
        return epochs(train)

    def peek_between(self) -> Any:
        train = self.dataset()
        epochs(train, 1)
        if self.rank == 1:
            next(iter(train))
        return epochs(train)

    def peek_on_both(self) -> Any:
        train = self.dataset()
        next(iter(train))
        return epochs(train)

    def peek_and_return(self) -> Any:
        train = self.dataset()
        if self.rank == 0:
            next(iter(train))
            train.set_epoch(0)
        return epochs(train)

    def batch_at(self) -> Any:
        train = self.dataset()
        if self.rank == 0:
            for _ in range(10):
                train.batch_at(0, 0)
        return epochs(train)

    def peek_in_collectives(self) -> Any:
        """Each step waits for the other rank, as with DDP."""
        train = self.dataset()
        if self.rank == 0:
            next(iter(train))
        for _ in range(2):
            for batch in train:
                torch.distributed.all_reduce(batch["id"].sum())
        return "no error"

    def peek_within(self) -> Any:
        """While an iteration goes on, which then finds its next epoch taken."""
        train = self.dataset(num_epochs=2)
        for step, _ in enumerate(train):
            if step == 3 and self.rank == 0:
                next(iter(train))
        return "no error"

    def peek_of_two_batches(self) -> Any:
        train = self.dataset()
        if self.rank == 0:
            batches = iter(train)
            next(batches), next(batches)
        return epochs(train)

    def leave_both(self) -> Any:
        train = self.dataset()
        for _ in range(3):
            for step, _batch in enumerate(train):
                if step == 2:
                    break
        return "no error"

    def one_step(self, **keywords: Any) -> Any:
        """Epochs of one step."""
        return self.peek_before(batch_size=125, **keywords)

    def uneven(self) -> Any:
        """Rank 0 has 41 rows and rank 1 has 40."""
        self.data /= "0.parquet"
        return epochs(self.dataset(40, remainder="uneven"), 3)

    def single_batches(self) -> Any:
        train = self.dataset()
        for _ in range(12):
            next(iter(train))
        return epochs(train, 1)

    def set_epoch(self) -> Any:
        train = self.dataset()
        if self.rank == 1:
            train.set_epoch(3)
        return epochs(train)

    def load_state(self) -> Any:
        train = self.dataset()
        epochs(train, 1)
        if self.rank == 1:
            train.load_state_dict(train.state_at(1, 2))
        return epochs(train)

    def load_within(self) -> Any:
        train = self.dataset()
        batches = iter(train)
        next(batches), next(batches), next(batches)
        if self.rank == 1:
            batches.load_state_dict(train.state_at(0, 1))
            return [len(batch["id"]) for batch in batches]
        list(batches)
        return epochs(train, 1)

    def set_right(self) -> Any:
        """Both ranks hear of it, agree on an epoch, and go on."""
        train = self.dataset()
        if self.rank == 0:
            next(iter(train))
        with contextlib.suppress(ValueError):
            return epochs(train)
        train.set_epoch(5)
        return epochs(train), train.state_dict()["epoch"]

    def mixture(self) -> Any:
        mixed = rowfeed.mix([self.dataset(), self.dataset(seed=8)])
        if self.rank == 0:
            next(iter(mixed))
        return epochs(mixed)

    def mixture_on_both(self) -> Any:
        weights = {0: [1, 1], 1: [3, 1], 2: [1, 2]}
        mixed = rowfeed.mix([self.dataset(), self.dataset(seed=8)], weights)
        return [steps > 0 for steps in epochs(mixed, 3)]

    def an_error(self) -> Any:
        """Rank 1 meets one, and goes no further."""
        seen: list[int] = []

        def fail(batch: Any) -> Any:
            seen.append(len(batch))
            if self.rank == 1 and len(seen) == 4:
                raise OSError("a bad batch")
            return batch

        return epochs(self.dataset(transform=fail, num_threads=1))

    def filtered(self) -> Any:
        """Ranks that count together do so at the first batch."""
        train = self.dataset(filter=[("id", "<", 200)])
        found = epochs(train, 1)
        if self.rank == 1:
            next(iter(train))
        return found, said(lambda: epochs(train))

    def workers(self, num_workers: int, **keywords: Any) -> Any:
        train = self.dataset()
        loader = DataLoader(train, batch_size=None, num_workers=num_workers, **keywords)
        if self.rank == 0:
            next(iter(loader))
        return epochs(loader)

    def equal_workers(self) -> Any:
        train = self.dataset()
        workers = 1 + self.rank
        found = [
            epochs(DataLoader(train, batch_size=None, num_workers=workers), 1)
            for _ in range(2)
        ]
        return found, train.begin_epoch()


def epochs(batches: Any, count: int = 2) -> Any:
    """Iterates some epochs; returns their steps."""
    return [sum(1 for _ in batches) for _ in range(count)]


def said(work: Callable[[], Any]) -> Any:
    """Returns what `work` returns, or how it fails."""
    try:
        return work()
    except (OSError, RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def run(
    rank: int,
    world_size: int,  # noqa: ARG001
    pipe: Connection,
    data: Path,
    programs: list[tuple[str, dict[str, Any]]],
) -> None:
    """Sends what becomes of each program."""
    warnings.filterwarnings("ignore", "each of the|This DataLoader will create")
    program = Program(data, rank)
    for name, arguments in programs:
        pipe.send(said(partial(getattr(program, name), **arguments)))
