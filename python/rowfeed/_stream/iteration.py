# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One pass over a dataset: the iterator, for NumPy and as the base of PyTorch's."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Protocol

from rowfeed._catalog.catalog import Catalog
from rowfeed._look.dataset_sheet import public_name
from rowfeed._look.steps import place_in_words
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._state import state
from rowfeed._stream.streams import Position, Stream

if TYPE_CHECKING:
    from rowfeed._stats.consumer_clock import ConsumerClock
    from rowfeed._stream.transform_threads import Ahead


class Owner(Protocol):
    """The attributes and methods of a dataset that its iterations use."""

    _parameters: Parameters
    _cursor: core.Cursor
    _clock: ConsumerClock | None
    _latest: Position | None

    def _stream_of(self, cursor: core.Cursor, parameters: Parameters) -> Stream:
        """Returns a stream of native batches, which `delivered` makes elements of."""

    def _element(self, batch: core.Batch, parameters: Parameters) -> Any:
        """Returns the element of a native batch."""

    def _delivered(
        self,
        batch: core.Batch,
        before: core.Progress,
        after: core.Progress,
        parameters: Parameters,
    ) -> Any:
        """Returns the element of a native batch, after `transform` if there is one."""

    def _move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""

    def _adopt(self, parameters: Parameters) -> None:
        """Takes new parameters; iterations that have begun keep the old ones."""

    def _begin_epoch(self, epoch: int, is_abandoned: Callable[[], bool]) -> None:
        """Lists or counts what an epoch has, where that is not known."""


class Iteration(Shown, Iterator[Any]):
    """The batches of `num_epochs` epochs, from the place of the dataset's cursor on.

    The iteration begins with the first `next`, which takes its first epoch from the
    cursor. Any thread may use it, one at a time; any thread may call `close` at any
    time.
    """

    _num_workers = 1  # The number of workers that share the batches.

    def __init__(self, dataset: Owner) -> None:
        """Makes the iteration, which starts when its first element is asked for."""
        if _has_exit_begun:
            _rest()
        self._dataset = dataset
        self._open()
        self._closed = False
        # The place of a loaded state, from which the next pull goes on.
        self._restored: core.Progress | None = None
        self._num_loads = 0  # Counts the states that were loaded.
        # Whether it has delivered all, and no state was loaded since.
        self.has_ended = False
        self.is_in_next = False  # Whether a thread waits for an element.
        # The lock is reentrant: a signal handler may use the iteration while its thread
        # waits.
        self._lock = threading.RLock()
        _live.add(self)

    def _open(self) -> None:
        self._parameters = self._dataset._parameters
        self._cursor = self._dataset._cursor
        self._stream = self._share(
            self._dataset._stream_of(self._cursor, self._parameters)
        )
        self._ahead: Ahead | None = None
        if self._parameters.options.transform is not None:
            # These imports are slow, and few users transform.
            from rowfeed._stats.consumer_clock import PullWatch
            from rowfeed._stream.transform_threads import Ahead

            deliver = partial(self._dataset._delivered, parameters=self._parameters)
            clock = self._dataset._clock
            assert clock is not None  # Each transform has a clock.
            make = partial(_timed, self._cursor, clock, deliver)
            self._watch = PullWatch(clock)
            self._ahead = Ahead(
                self._stream, self._cursor, self._parameters, make, self._num_workers
            )
            self._stream = self._ahead
        self._begun = False
        # Whether the iteration is open, begun and at its place, and only has to pull.
        self._is_ready = False

    def __next__(self) -> Any:
        """Returns the next element; it waits without the GIL and answers signals."""
        try:
            with self._lock:
                self.is_in_next = True
                while True:
                    while not self._is_ready:
                        self._check_open()
                        self._begin()
                    loads = self._num_loads
                    try:
                        element = self._pull()
                    except StopIteration:
                        if loads == self._num_loads:
                            self.has_ended = True
                            raise
                    else:
                        if loads == self._num_loads:
                            return element
                    # Here a signal handler has loaded a state meanwhile: pull again.
        except (RuntimeError, ValueError):
            if _has_exit_begun or (self._ahead is not None and self._ahead.is_exiting):
                _rest()
            raise
        finally:
            self.is_in_next = False

    def _begin(self) -> None:
        """Takes a place in the epochs, before the first pull or after a restore.

        The rows are counted first, so that an error or Ctrl-C in counting uses up no
        epoch.
        """
        place = self._restored
        epoch = self._stream.progress.epoch if place is None else place.epoch
        self._dataset._begin_epoch(epoch, self._is_abandoned)
        self._check_open()
        if self._restored is place:  # Else a signal handler has loaded a state.
            self._take(place)

    def _take(self, place: core.Progress | None) -> None:
        """Goes on from `place`; from the place of the cursor if it is None."""
        if place is not None:
            self._stream.restore(place)
        if self._restored is not place:
            return
        self._begun = True  # This comes first, as other threads may ask for the place.
        self._restored, self._is_ready = None, not self._closed
        self._dataset._latest = self._stream

    def _is_abandoned(self) -> bool:
        return self._closed

    def _share(self, stream: Stream) -> Stream:
        """Returns the stream of the batches that this iteration delivers of all."""
        return stream

    def _pull(self) -> Any:
        if self._ahead is not None:
            begin, epoch = perf_counter_ns(), None
            try:
                element = self._ahead.next()
                epoch = self._ahead.progress.epoch
                return element
            finally:
                self._watch.add(begin, epoch)
        batch = self._stream.next()
        if batch is None:
            raise StopIteration
        return self._dataset._element(batch, self._parameters)

    def state_dict(self) -> state.State:
        """Returns the state of this iteration, after the last element delivered."""
        return state.make(self._stands(), self._parameters)

    def _stands(self) -> core.Progress:
        return self._restored or self._stream.progress

    @property
    def has_delivered_all(self) -> bool:
        """Whether the element delivered last is the last one of the iteration."""
        parameters, place = self._parameters, self._stands()
        num_epochs = parameters.options.num_epochs
        if num_epochs is None or parameters.is_endless:
            return False
        if place.epochs_done + 1 < num_epochs:
            return False
        return parameters.steps_in(place.epoch, place.row) == 0

    def _sheet(self) -> Sheet:
        """Returns the description, without taking a place."""
        if self._closed:
            following = "it is closed"
        elif self._restored is not None or self._begun:
            place = self._restored or self._stream.progress
            following = place_in_words(self._parameters, place)
        else:
            following = "the dataset's next epoch, which it takes at its first element"
        title = f"iterator of {public_name(self._dataset)}"
        return Sheet(title, [("next", following)])

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Goes on from a state: see `load_state_dict` of the dataset."""
        with self._lock:
            self._dataset._move(self._load(state_dict, strict=strict, catalog=catalog))

    # Whether order options that the user left at None take the values of a state.
    _adopts = True

    def _load(
        self, state_dict: object, *, strict: bool, catalog: Catalog | None
    ) -> core.Progress:
        """Sets the place from which the next pull goes on, and returns it."""
        self._check_open()
        progress, parameters = state.check(
            state_dict,
            self._parameters,
            strict=strict,
            catalog=catalog,
            adopts=self._adopts,
        )
        if parameters is self._parameters:
            self._restored, self._is_ready = progress, False
            self._num_loads += 1
            self.has_ended = False
        else:
            self._dataset._adopt(parameters)
            self._reopen(progress)
        return progress

    def _reopen(self, place: core.Progress | None) -> None:
        """Takes the dataset's new parameters.

        Args:
            place: Place from which the next pull goes on. If it is None, the iteration
                takes the dataset's next place.
        """
        self._stream.close()
        self._open()
        self._restored = place
        self._num_loads += 1
        self.has_ended = False

    def close(self) -> None:
        """Ends the iteration, also a `next` that waits, and frees its memory."""
        self._closed = True
        self._stream.close()
        with self._lock:  # Waits until a thread that was in `next` has left it.
            self._is_ready = False

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the iteration is closed")

    def __del__(self) -> None:
        """Closes the stream, which lives on, as the dataset asks it for its place."""
        stream = getattr(self, "_stream", None)
        if stream is not None:
            stream.close()

    def _after_fork(self) -> None:
        """Replaces the lock, which a thread of the parent may hold for ever."""
        self._lock = threading.RLock()
        if self._ahead is not None:
            self._ahead.after_fork()
            self._watch.after_fork()


def _timed(
    cursor: core.Cursor,
    clock: ConsumerClock,
    deliver: Callable[..., Any],
    *batch: Any,
) -> Any:
    begin, before = perf_counter_ns(), clock.of_thread()
    try:
        return deliver(*batch)
    finally:
        clock.add_call(before)
        cursor.count_transform(work_ns=perf_counter_ns() - begin)


def _rest() -> None:
    """Halts a daemon thread, which still iterates when the main thread ends Python.

    Its error would say that the iteration is closed, and Python aborts the process if a
    thread prints an error at the end. Python waits for threads that are no daemons, so
    they get the error.
    """
    if threading.current_thread().daemon:
        threading.Event().wait()


_live: weakref.WeakSet[Iteration] = weakref.WeakSet()
_has_exit_begun = False


@atexit.register
def _close_all() -> None:
    """Closes all iterations, so that no thread waits in the kernel at Python's exit.

    Daemon threads that are within other calls of the kernel stay there.
    """
    global _has_exit_begun
    _has_exit_begun = True
    for iteration in list(_live):
        iteration.close()
    core.close_file_systems()
    core.begin_exit()


def _after_fork() -> None:
    for iteration in list(_live):
        iteration._after_fork()


os.register_at_fork(after_in_child=_after_fork)
