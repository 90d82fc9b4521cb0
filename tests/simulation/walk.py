# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What one rank must deliver next, and where it then stands, by the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from order_model import batch, steps

Stream = Callable[[int], list[int]]  # The ids of an epoch, which begins if need be.


class Place(NamedTuple):
    """A position as states have it."""

    epoch: int
    row: int
    next_epoch: int
    epochs_done: int


class Step(NamedTuple):
    """What a rank delivers in one step.

    Attributes:
        ids: Ids of the batch, None for a fill row; None at the end of the iteration.
        first: Number in the stream of the first row of this rank's batch.
        after: Place after the step.
    """

    ids: list[int | None] | None
    first: int
    after: Place


class Walk:
    """The way of one rank from a place on, through the epochs of its iterations.

    Attributes:
        place: Place at which the rank goes on.
        stands: Place that its state has: an iteration that was left, until another one
            begins.
        start: Row of the epoch at which this rank began to count steps.
        has_begun: Whether an iteration has delivered something or has ended.
    """

    def __init__(
        self, case: dict[str, Any], run: dict[str, Any], rank: int, place: Place
    ) -> None:
        self._remainder = case["options"]["remainder"]
        self._num_epochs: int = case["options"]["num_epochs"]
        self.rank, self.place, self.stands = rank, place, place
        self.regroup(rank, run["world_size"], run["batch_size"] or 1)
        self.has_begun = False
        self.num_batches = 0  # Batches of this epoch since `start`.

    def regroup(self, rank: int, world_size: int, batch_size: int) -> None:
        """Goes on from the same place with another share."""
        self.rank, self._world_size, self._batch_size = rank, world_size, batch_size
        self.start, self._step = self.place.row, 0
        self.num_batches = 0

    @property
    def global_batch(self) -> int:
        """Rows of a step on all ranks together."""
        return self._world_size * self._batch_size

    def steps_left(self, stream: Stream) -> int:
        """Returns the batches of this rank up to the end of the epoch."""
        rows = stream(self.place.epoch)
        count = steps(len(rows), self.global_batch, self._remainder, self.start)
        left = count - self._step
        if left > 0 and not self._batch(rows, count - 1, self.start):
            left -= 1
        return max(left, 0)

    def _batch(self, rows: list[int], step: int, start: int) -> list[int | None]:
        return batch(
            rows,
            rank=self.rank,
            world_size=self._world_size,
            batch_size=self._batch_size,
            step=step,
            remainder=self._remainder,
            start=start,
        )

    def _has_batches(self, rows: list[int]) -> bool:
        """Returns whether a whole epoch has a batch of this rank."""
        count = steps(len(rows), self.global_batch, self._remainder)
        return count > 0 and bool(self._batch(rows, 0, 0))

    def next_step(self, stream: Stream) -> Step:
        """Returns what comes next, without going there."""
        place, start, step = self.place, self.start, self._step
        while True:
            rows = stream(place.epoch)
            count = steps(len(rows), self.global_batch, self._remainder, start)
            ids = self._batch(rows, step, start) if step < count else []
            if ids:
                begin = start + step * self.global_batch
                first = begin + (self.rank - begin) % self._world_size
                is_last = step + 1 == count
                row = len(rows) if is_last else begin + self.global_batch
                return Step(ids, first, place._replace(row=row))
            done, following = place.epochs_done + 1, place.next_epoch
            # An epoch without batches ends the iteration, however many epochs it has.
            is_end = done >= self._num_epochs or not self._has_batches(rows)
            place = Place(following, 0, following + 1, 0 if is_end else done)
            start, step = 0, 0
            if is_end:
                return Step(None, 0, place)

    def following(self, stream: Stream) -> Place | None:
        """Returns the beginning of the next epoch, if this iteration goes on there."""
        after = self.next_step(stream).after
        if self.place.epoch < after.epoch and not self.steps_left(stream):
            return Place(after.epoch, 0, after.next_epoch, after.epochs_done)
        return None

    def go(self, step: Step) -> None:
        """Takes a step."""
        if step.after.epoch != self.place.epoch or step.ids is None:
            self.start, self._step, self.num_batches = 0, 0, 0
        if step.ids is not None:
            self._step += 1
            self.num_batches += 1
        self.place = self.stands = step.after
        self.has_begun = step.ids is not None

    def leave(self) -> None:
        """Leaves the iteration: the next one begins the epoch that follows."""
        if self.has_begun:
            stands, following = self.place, self.place.next_epoch
            self.put(Place(following, 0, following + 1, 0))
            self.stands = stands

    def put(self, place: Place) -> None:
        """Goes to a place, at which the next iteration begins."""
        self.place, self.stands = place, place
        self.start, self._step = place.row, 0
        self.has_begun, self.num_batches = False, 0
