# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A dataset whose number of ranks may change while it is iterated."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rowfeed._mix.resized import resized
from rowfeed._native import core
from rowfeed._options.keywords import Ranks
from rowfeed._options.make_parameters import advice
from rowfeed._options.parameters import Parameters
from rowfeed._process.caller_warnings import PerformanceWarning, warn_caller
from rowfeed._process.option_names import names_options
from rowfeed._state import state
from rowfeed._stream.iteration import Iteration


class Resizable:
    """What a dataset does when ranks leave or join."""

    _agreement: Ranks | None
    _iterations: weakref.WeakSet[Iteration]
    _latest: Any
    _parameters: Parameters

    @names_options
    def resize(self, rank: int | None = None, world_size: int | None = None) -> None:
        """Goes on as another rank, or with another number of ranks.

        The rows that no rank has delivered yet come exactly once, if all ranks that
        stay call this after the same step, and those that join load the state of one
        of them. Call it between two batches: an iteration that is under way goes on
        with the new share, and so does the next one otherwise. The order of rows, the
        rows in a batch of one rank and the `remainder` stay as they were.

        Args:
            rank: New rank of this process. Default: as in the constructor.
            world_size: New number of ranks. Default: as in the constructor.

        Raises:
            RuntimeError: Another thread waits for a batch, or DataLoader workers
                iterate.
            ValueError: `rank` is not below `world_size`, one of the two is missing, or
                an epoch has fewer rows than a batch of all ranks.

        Example:
            >>> for step, batch in enumerate(dataset):  # doctest: +SKIP
            ...     train(batch)
            ...     if replicas_have_changed():
            ...         dataset.resize(my_rank(), num_replicas())
        """
        if (rank is None) != (world_size is None):
            raise ValueError("rank and world_size must be given together")
        opened = [it for it in list(self._iterations) if not it._closed]
        with _between_batches(opened):
            place: dict[str, Any] = self.state_dict()  # type: ignore[attr-defined]
            before, self._agreement = self._agreement, None
            try:
                if rank is None or world_size is None:
                    rank, world_size = self._default_rank()  # type: ignore[attr-defined]
                parameters = resized(self._parameters, rank, world_size)
                ranks_meet = self._agreement is not None
                parameters.options.check_growth(ranks_meet=ranks_meet)
                # Another number of rows in a global batch is what the user asks for.
                place["global_batch"] = parameters.stream.delivery.global_batch
                progress, _ = state.check(place, parameters)
            except Exception as error:
                self._refused(error)  # type: ignore[attr-defined]
                self._agreement = before
                raise
            self._go_on_as(parameters, progress, opened)
        for message in advice(parameters):
            warn_caller(PerformanceWarning(message))

    def _go_on_as(
        self, parameters: Parameters, progress: core.Progress, opened: list[Iteration]
    ) -> None:
        """Takes new parameters, also in the iteration begun last and in unbegun ones.

        Args:
            parameters: New parameters.
            progress: Place of the iteration begun last, or of the next one.
            opened: Iterations that are not closed.
        """
        latest = self._latest
        self._adopt(parameters)  # type: ignore[attr-defined]
        self._introduce()  # type: ignore[attr-defined]
        self._put(progress)  # type: ignore[attr-defined]
        for iteration in opened:
            if not iteration._begun:
                iteration._reopen(iteration._restored)
            elif iteration._stream is latest and not iteration.has_ended:
                iteration._reopen(progress)


@contextmanager
def _between_batches(iterations: list[Iteration]) -> Iterator[None]:
    """Holds the locks of iterations, so that none of them makes a batch meanwhile."""
    held = []
    try:
        for iteration in iterations:
            if not iteration._lock.acquire(blocking=False):
                raise RuntimeError(
                    "resize: another thread waits for a batch of this dataset: call "
                    "it between two batches"
                )
            held.append(iteration)
        yield
    finally:
        for iteration in held:
            iteration._lock.release()
