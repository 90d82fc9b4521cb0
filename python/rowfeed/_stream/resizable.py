# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A dataset whose number of ranks may change while it is iterated."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from rowfeed._mix.resized import resized
from rowfeed._native import core
from rowfeed._options.keywords import Ranks
from rowfeed._options.make_parameters import advice
from rowfeed._options.parameters import Parameters
from rowfeed._process.caller_warnings import PerformanceWarning, warn_caller
from rowfeed._process.option_names import names_options
from rowfeed._state import state
from rowfeed._state.state import State
from rowfeed._stream.iteration import Iteration


class Resizable:
    """What a dataset does when ranks leave or join."""

    _agreement: Ranks | None
    _closed: bool
    _iterations: weakref.WeakSet[Iteration]
    _latest: Any
    _parameters: Parameters

    @names_options
    def resize(self, rank: int | None = None, world_size: int | None = None) -> None:
        """Goes on as another rank, or with another number of ranks.

        The rows that no rank has delivered yet come exactly once, if all ranks that
        stay call this after the same step, and those that join load the state of one
        of them. Call it between two batches. Iterations that are under way go on with
        the new share. If there is none, the next one goes on from the place that the
        last one has reached. The order of rows, the rows in a batch of one rank and the
        `remainder` stay as they were.

        Args:
            rank: New rank of this process. Default: as in the constructor.
            world_size: New number of ranks. Default: as in the constructor.

        Raises:
            RuntimeError: An iteration is in the middle of a batch, or DataLoader
                workers iterate.
            ValueError: The dataset is closed, `rank` is not below `world_size`, one of
                the two is missing, or an epoch has fewer rows than a batch of all
                ranks.

        Example:
            >>> for step, batch in enumerate(dataset):  # doctest: +SKIP
            ...     train(batch)
            ...     if replicas_have_changed():
            ...         dataset.resize(my_rank(), num_replicas())
        """
        if self._closed:
            raise ValueError("the dataset is closed")
        if (rank is None) != (world_size is None):
            raise ValueError("rank and world_size must be given together")
        opened = [it for it in list(self._iterations) if not it._closed]
        own: Any = self
        with _between_batches(opened):
            before, self._agreement = self._agreement, None
            try:
                if rank is None or world_size is None:
                    rank, world_size = own._default_rank()
                parameters = resized(self._parameters, rank, world_size)
                ranks_meet = self._agreement is not None
                parameters.options.check_growth(ranks_meet=ranks_meet)
                self._go_on_as(parameters, [it for it in opened if not it.has_ended])
            except Exception as error:
                own._refused(error)
                self._agreement = before
                raise
        own._introduce()
        for message in advice(parameters):
            warn_caller(PerformanceWarning(message))

    def _go_on_as(self, parameters: Parameters, opened: list[Iteration]) -> None:
        """Takes new parameters, also in iterations that are open and have not ended."""
        own: Any = self
        start = own._next_place()
        last = _moved(own.state_dict(), parameters)
        under_way = {
            iteration: _moved(iteration.state_dict(), parameters)
            for iteration in opened
            if iteration._begun or iteration._restored is not None
        }
        own._adopt(parameters)
        self._regroup()
        own._move(start if under_way else last)
        for iteration in opened:
            iteration._reopen(under_way.get(iteration))
        if under_way:  # `state_dict` tells where the last of them stands.
            self._latest = _Place(last)

    def _regroup(self) -> None:
        """Forgets the meetings with the ranks that there were."""


class _Place(NamedTuple):
    """A place in the data, in the form of a stream that has reached it."""

    progress: core.Progress


def _moved(place: State, parameters: Parameters) -> core.Progress:
    """Returns the place of a state in the epochs of new parameters."""
    # Another number of rows in a global batch is what the user asks for.
    global_batch = parameters.stream.delivery.global_batch
    progress, _ = state.check({**place, "global_batch": global_batch}, parameters)
    return progress


@contextmanager
def _between_batches(iterations: list[Iteration]) -> Iterator[None]:
    """Holds the locks of iterations, so that none of them makes a batch meanwhile."""
    held = []
    try:
        for iteration in iterations:
            has_lock = iteration._lock.acquire(blocking=False)
            if has_lock:
                held.append(iteration)
            # A signal handler has the lock, too, of the thread that it interrupts.
            if not has_lock or iteration.is_in_next:
                raise RuntimeError(
                    "resize: an iteration of this dataset is in the middle of a batch: "
                    "call it between two batches"
                )
        yield
    finally:
        for iteration in held:
            iteration._lock.release()
