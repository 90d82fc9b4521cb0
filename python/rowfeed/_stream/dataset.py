# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the NumPy and the torch dataset have in common."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import TracebackType
from typing import Any

from rowfeed._catalog.catalog import Catalog
from rowfeed._keras_calls.peek import warn_of_peeks
from rowfeed._native import core
from rowfeed._options.keywords import Keywords
from rowfeed._options.resolved import Resolved
from rowfeed._state import state
from rowfeed._stats.json import parse
from rowfeed._stats.numbers import Stats
from rowfeed._stream.elements import Elements
from rowfeed._stream.iteration import Iteration
from rowfeed._stream.transform_threads import Position, Stream


class Dataset(Elements, Keywords):
    """Parameters and a cursor, which hands an epoch to each iteration that begins.

    Attributes:
        placed: The place that `load_state_dict` or `set_epoch` was given last.
    """

    placed: core.Progress | None = None

    def _build(self, resolved: Resolved) -> None:
        self._closed = False
        self._iterations: weakref.WeakSet[Iteration] = weakref.WeakSet()
        self.adopt(resolved)

    def adopt(self, resolved: Resolved) -> None:
        """Takes new parameters; the iterations that have begun keep theirs."""
        self.resolved = resolved
        self.convert(resolved.outputs)
        self.cursor = _new_cursor(resolved)
        # Of the iteration begun last: its stream knows, open or not, where it stands.
        self.latest: Position | None = None

    def move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""
        self.cursor.move(progress)
        self.latest = None

    def __iter__(self) -> Iteration:
        """Returns a new iteration; it starts nothing before its first element."""
        if self._closed:
            raise ValueError("the dataset is closed")
        iteration = self._iterate()
        self._iterations.add(iteration)
        return iteration

    def _iterate(self) -> Iteration:
        return Iteration(self)

    def __len__(self) -> int:
        """Returns the batches of a whole iteration: num_epochs times those of an epoch.

        Where the weights of a mixture change, epochs differ: then it is the iteration
        that would begin now.

        Raises:
            TypeError: The dataset is endless (num_epochs=None, or a mixture's stop), or
                it grows (`refresh`).
        """
        if self.resolved.snapshots is not None:
            raise TypeError(
                "a growing data set has no length, as each epoch has its own: "
                "begin_epoch() returns that of the next one"
            )
        length = self.resolved.num_batches_from(self._start().epoch)
        if length is None:
            raise TypeError(
                'an endless dataset (num_epochs=None, or stop="endless") has no length'
            )
        return length

    def begin_epoch(self) -> int:
        """Begins the epoch that the next iteration takes: returns its batches.

        With `refresh` the data is listed now, and not at the first element. The batches
        are those of this rank, from where the iteration will begin.
        """
        place = self._start()
        self._list(place.epoch, lambda: self._closed)
        return self.resolved.steps_in(place.epoch, place.row)

    def _list(self, epoch: int, is_abandoned: Callable[[], bool]) -> None:
        """Finds out what an epoch of a growing data set is."""
        if self.resolved.snapshots is not None:
            self.resolved.snapshots.begin(epoch, is_abandoned)

    def state_dict(self) -> state.State:
        """Returns the state of the iteration begun last; before one, the start.

        It is a JSON-able dict, the same for every face; docs/reference.md describes it.
        """
        return state.make(self._stands(), self.resolved)

    def _stands(self) -> core.Progress:
        while True:  # An iteration that takes the start has set `latest` before.
            before, start, latest = self.latest, self._start(), self.latest
            if latest is not None:
                return latest.progress
            if before is None:  # Else the start was moved meanwhile.
                return start

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Makes the next iteration go on from a state.

        Args:
            state_dict: From this or another face, rank or world size.
            strict: Whether a state of other data or another order is refused. Else it
                keeps its place, and a warning says what differs and what is given up.
            catalog: That of the data that the state was taken over, saved with it: to
                name the files that have changed since, and with `strict=False` to know
                whether the order of rows is still the same.

        Raises:
            TypeError: The state is not a dict, or `catalog` not a Catalog.
            ValueError: The state is malformed or has another format or order version,
                or `catalog` is not that of the state; with `strict` also: the state is
                of other data or another order. The message names the first field that
                differs and, with `catalog`, each file and how it differs.
        """
        progress, resolved = state.check(
            state_dict, self.resolved, strict=strict, catalog=catalog
        )
        if resolved is not self.resolved:
            self.adopt(resolved)
        self._put(progress)

    def state_at(self, epoch: int, step: int) -> state.State:
        """Returns the state before step `step` of epoch `epoch`, by arithmetic."""
        return state.at(epoch, step, self.resolved)

    def batch_at(self, epoch: int, step: int) -> Any:
        """Returns the element that step `step` of epoch `epoch` delivers.

        For a look at what was, or will be, trained on: it decodes the windows that the
        batch lies in and moves nothing, neither iterations nor the next epoch.

        Raises:
            TypeError: An argument is not an int.
            ValueError: The epoch is negative or has no such step.
        """
        place = state.place_of(epoch, step, self.resolved)
        stream = self.stream_of(_new_cursor(self.resolved), self.resolved)
        stream.restore(place)
        batch = stream.next()
        stream.close()
        assert batch is not None
        return self.delivered(batch, self.resolved)

    def stats(self) -> Stats:
        """Returns what the iterations have done: `str` of it says what limits them.

        It covers all iterations of this object in this process; see `rowfeed.stats`.
        It costs microseconds and may be called at any time, from any thread.
        """
        has_transform = self.resolved.options.transform is not None
        return parse(self.cursor.stats(), has_transform=has_transform)

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration start with epoch `epoch`."""
        self._put(state.start_of(epoch))

    def _put(self, place: core.Progress) -> None:
        """Moves to a place that the user has named."""
        warn_of_peeks()
        self.move(place)
        self.placed = place

    def next_place(self) -> core.Progress:
        """Returns where the next iteration begins."""
        return self._start()

    def close(self) -> None:
        """Closes every iteration and starts no more."""
        self._closed = True
        for iteration in list(self._iterations):
            iteration.close()

    def __enter__(self) -> Any:
        """Returns the dataset, to be closed when the block ends."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the dataset."""
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Pickles parameters and the cursor's place; nothing that runs."""
        start = self._start()
        return {
            "resolved": self.resolved,
            "start": start.astuple(),
            "fingerprint": self.resolved.fingerprint_in(start.epoch),
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Makes an independent dataset that starts at the same place."""
        self._build(pickled["resolved"])
        start = core.Progress(*pickled["start"])
        self._resume(start, pickled["fingerprint"])
        self.move(start)

    def _resume(self, start: core.Progress, fingerprint: str | None) -> None:
        """Makes an epoch of a growing dataset, if it has begun, what it was."""
        snapshots = self.resolved.snapshots
        if snapshots is None or fingerprint is None:
            return
        if snapshots.fingerprint_of(start.epoch) == fingerprint:
            return
        try:
            snapshots.resume(start.epoch, fingerprint, may_be_gone=True)
        except (OSError, ValueError) as error:
            raise ValueError(
                f"the copy cannot go on in epoch {start.epoch}, as what that was is "
                f"not there: {error}"
            ) from error

    def _start(self) -> core.Progress:
        """Returns where the next iteration starts."""
        return self.cursor.peek()

    def stream_of(self, cursor: core.Cursor, resolved: Resolved) -> Stream:
        """Returns a stream of the batches that `delivered` takes."""
        return core.BatchStream(cursor, resolved.stream, self.dlpack_exchange)

    def delivered(self, batch: core.Batch, resolved: Resolved) -> Any:
        """Returns what becomes of a native batch: its element, transformed if asked."""
        element = self.element(batch, resolved)
        transform = resolved.options.transform
        return element if transform is None else transform(element)


def _new_cursor(resolved: Resolved) -> core.Cursor:
    return core.Cursor(
        resolved.all_rows,
        first_epoch=resolved.options.first_epoch,
        num_threads=resolved.stream.num_threads,
        memory_budget_bytes=resolved.stream.memory_budget_bytes,
        snapshots=resolved.snapshots,
    )
