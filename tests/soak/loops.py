# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Trainings with a loader on top of the dataset, which the model judges row by row.

The simulator asks a rank for one batch after the other. `DataLoader` workers, tf.data
and `fit` read ahead, and have iterators of their own. So here a training is a list of
passes: whole ones, some that are left in the middle, and some that are killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Protocol

from tests.simulation.files import Library
from tests.simulation.judge import judge_state, judge_step
from tests.simulation.ranks import Rank
from tests.simulation.walk import Walk
from tests.simulation.world import World

Ids = list[int | None]


class LoaderKilledError(Exception):
    """A process of a loader was killed, as the schedule wants it."""


class Loader(Protocol):
    """How a face delivers the batches of a dataset.

    Attributes:
        face: Name of the face, whose dataset is made.
        has_rows: Whether it can deliver single rows.
        state_is_exact: Whether the state of the dataset counts no batch read ahead.
    """

    face: str
    has_rows: bool
    state_is_exact: bool

    def passes(
        self, dataset: Any, rng: Random, stop: int | None, kill_after: int | None
    ) -> Generator[Ids, None, None]:
        """Yields the ids of each batch of one pass.

        Args:
            dataset: The dataset.
            rng: Source of what the loader draws.
            stop: Number of batches after which the training leaves the pass. A loader
                that calls the training leaves it by itself.
            kill_after: Number of batches after which a process of the loader is
                killed. A loader without processes ignores it.

        Raises:
            LoaderKilledError: The process was killed before the pass had ended.
        """


class LoopedRank(Rank):
    """A rank whose dataset a loader reads."""

    def dataset(self) -> Any:
        """Returns the dataset that `make` has made."""
        return self._dataset


class Training:
    """A drawn training of one rank with a loader.

    Args:
        case: The case.
        loader: What delivers the batches.
        counts: Counts what is done.
        folders: Where the simulator's files are, and those of this training.
    """

    def __init__(
        self,
        case: dict[str, Any],
        loader: Loader,
        counts: Counter[str],
        folders: tuple[Library, Path],
    ) -> None:
        self._case, self._loader, self._counts = case, loader, counts
        self._rng = Random(f"passes {case['seed']}")
        self._world = World(case, *folders, counts)
        run = self._world.fitting({**case["run"], "transform": False})
        size = run["batch_size"] or (None if loader.has_rows else 1)
        self._run = {**run, "batch_size": size, "face": loader.face}
        self._world.epochs.begin_anew(run["world_size"])

    def play(self) -> None:
        """Plays the training of one drawn rank."""
        number = self._rng.randrange(self._run["world_size"])
        place = self._world.first_place()
        self._walk = Walk(self._case, self._run, number, place)
        self._rank = self._made(number, None)
        has_one_epoch = self._case["options"]["num_epochs"] == 1
        for _ in range(self._rng.randint(1, 4)):
            stop = self._rng.choice([None, None, 1, 3, 8])
            kill_after = self._rng.choice([None, None, None, 0, 2])
            if not (has_one_epoch or self._loader.state_is_exact):
                # What is read ahead may have taken the next epoch already.
                stop = kill_after = None
            if self._passes(stop, kill_after):
                self._walk.leave()
            if has_one_epoch and self._rng.random() < 0.5:
                self._resume(number)
        self._rank.drop("dropped")

    def _made(self, number: int, state: dict[str, Any] | None) -> LoopedRank:
        folders, opened = self._world.folders, self._world.opened
        rank = LoopedRank(self._case, self._run, number, folders, opened)
        rank.make(state, strict=True)
        return rank

    def _passes(self, stop: int | None, kill_after: int | None) -> bool:
        """Takes batches of one pass; returns whether it was left before its end."""
        done, walk = 0, self._walk
        stream = self._world.epochs.stream
        dataset = self._rank.dataset()
        what = f"{self._loader.face} at {walk.place}"
        batches = self._loader.passes(dataset, self._rng, stop, kill_after)
        with closing(batches):
            try:
                while done != stop:
                    step = walk.next_step(stream)
                    ids = next(batches, None)
                    answer = ("end", None) if ids is None else ("rows", ids)
                    judge_step(answer, step, (), what)
                    walk.go(step)
                    if ids is None:
                        self._counts["passes to their end"] += 1
                        return False
                    done += 1
                    self._counts["batches"] += 1
                    self._counts["rows"] += len(ids)
                    if self._loader.state_is_exact:
                        judge_state(dataset.state_dict(), walk.stands, what)
            except LoaderKilledError:
                self._counts["kills"] += 1
                self._resume(walk.rank)
                return False
        self._counts["passes that were left"] += 1
        return done > 0

    def _resume(self, number: int) -> None:
        """Goes on with a new dataset, from the state of the place."""
        walk = self._walk
        steps = -(-walk.place.row // walk.global_batch)
        state = self._rank.dataset().state_at(walk.place.epoch, steps)
        judge_state(state, walk.place, "state_at")
        self._rank.drop("dropped")
        self._rank = self._made(number, state)
        walk.put(walk.place)
        self._counts["resumes"] += 1
