# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the user's `transform` in threads, ahead of the consumer."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    InvalidStateError,
    ThreadPoolExecutor,
    wait,
)
from contextlib import suppress
from typing import Any, NamedTuple

from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._stream.streams import Stream


class Ahead:
    """A stream of transformed elements, in the order of the batches that it reads.

    Its place is that of the consumer, whatever the threads have read ahead. They do not
    read beyond the end of an epoch: the next epoch is taken from the cursor when the
    consumer asks for it. At most twice `num_threads` elements are read ahead.

    Only one thread at a time may call `next` and `restore`; any thread may call the
    other methods.
    """

    def __init__(
        self,
        stream: Stream,
        cursor: core.Cursor,
        parameters: Parameters,
        function: Callable[[Any, core.Progress, core.Progress], Any],
        num_shares: int,
    ) -> None:
        """Makes the stream; its threads start with the first `next`.

        Args:
            stream: Stream of batches, which only this object reads.
            cursor: Cursor from which `stream` takes its epochs.
            parameters: Parameters of the dataset.
            function: Function that makes the transformed element of a batch. Its other
                arguments are the places before and after the batch; other workers may
                have batches between the first place and this batch.
            num_shares: Number of workers among which the batches of an epoch are
                divided; `stream` has the batches of one of them.
        """
        self._stream, self._cursor, self._parameters = stream, cursor, parameters
        self._function: Callable[..., Any] | None = function  # None if closed.
        self._num_shares = num_shares
        self._closed: Future[None] = Future()
        self._threads: _Threads | None = None
        # The place after the last element handed over. None before the first read.
        self._place: core.Progress | None = None
        # The place after the last element whose turn has come. Unlike `_place` it also
        # moves past an element for which `function` raised.
        self._reached: core.Progress | None = None
        # Whether a read that is under way may take a new epoch from the cursor, which
        # `_place` does not show yet.
        self._begins = False
        self._rewinds = False  # Whether the stream must be restored to `_place`.
        self._ended = False

    @property
    def progress(self) -> core.Progress:
        """Place of the consumer, with the epoch that the cursor hands out next."""
        place = self._place
        if place is None or self._ended:
            return self._stream.progress
        if self._begins:
            return place
        next_epoch = self._cursor.peek().epoch
        return core.Progress(place.epoch, place.row, next_epoch, place.epochs_done)

    @property
    def next_epoch(self) -> int:
        """Epoch that follows the one of `progress`."""
        return self.progress.next_epoch

    @property
    def is_exiting(self) -> bool:
        """Whether Python exits, and so no more is read or transformed."""
        return _exiting.has_begun

    def next(self) -> Any:
        """Returns the next element, or raises the error that its making raised.

        Raises:
            StopIteration: The iteration has ended.
        """
        if self._ended:
            raise StopIteration
        threads = self._start()
        self._ask(threads)
        read: Any = threads.reads[0]
        made: _Made | None = None
        try:
            self._wait_for(read)
            if read.exception() is None:
                made = read.result()
                if made is None:
                    self._ended, self._threads = True, None
                    raise StopIteration
                self._wait_for(made.element)
            threads.reads.popleft()
            if made is None:
                return read.result()  # This raises; the consumer's place stays.
            self._reached = made.place
            element = _result(made.element)
            self._place, self._begins = made.place, False
            return element
        finally:
            # Else an error would refer to this frame, and the frame to the error.
            del read, made

    def restore(self, progress: core.Progress) -> None:
        """Makes `progress` the place of the next element."""
        self._drop()
        self._stream.restore(progress)
        self._place = self._reached = progress
        self._begins, self._rewinds, self._ended = True, False, False

    def close(self) -> None:
        """Ends a `next` that waits; calls of `function` that run go on to their end."""
        with suppress(InvalidStateError):  # Raised if it is closed already.
            self._closed.set_result(None)
        self._stream.close()
        # The function refers to the dataset, which refers to this object.
        self._function = None
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.drop()

    def after_fork(self) -> None:
        """Drops the threads, which exist in the parent process alone."""
        self._rewinds = self._rewinds or self._threads is not None
        self._threads = None
        if not self._closed.done():
            self._closed = Future()

    def _start(self) -> _Threads:
        if self._rewinds:
            self._rewind()
        if self._place is None:
            self._place = self._reached = self._stream.progress
            self._begins = True
        if self._threads is None:
            if self._function is None:
                raise ValueError("the iteration is closed")
            num_threads = self._parameters.stream.num_threads
            self._threads = _Threads(
                self._stream, self._function, num_threads, self._place
            )
        return self._threads

    def _rewind(self) -> None:
        """Restores the stream to the consumer's place, after batches were read ahead.

        The cursor hands out the same epoch afterwards as before.
        """
        begins, following = self._begins, self._cursor.peek()
        self.restore(self.progress)
        if not begins:
            self._cursor.move(following)

    def _ask(self, threads: _Threads) -> None:
        assert self._reached is not None
        left = self._parameters.steps_in(self._reached.epoch, self._reached.row)
        ours = left // self._num_shares
        if not ours:
            self._begins = True
        most = min(2 * self._parameters.stream.num_threads, max(1, ours))
        try:
            while len(threads.reads) < most:
                threads.ask()
        except BaseException:  # A read may be under way that `reads` does not have.
            self._rewinds = True
            raise

    def _wait_for(self, future: Future[Any]) -> None:
        if not future.done():
            wait((future, self._closed), return_when=FIRST_COMPLETED)
        if self._closed.done():
            raise ValueError("the iteration is closed")

    def _drop(self) -> None:
        if self._threads is not None:
            wait(self._threads.drop())
            self._threads = None


class _Made(NamedTuple):
    element: Future[Any]
    place: core.Progress  # The place after the element.


class _Threads:
    """One thread that reads a stream, and several that apply a function.

    The executors are never shut down but dropped, after which their threads end when
    they have no more work. Dropping takes no lock, so a destructor may do it.
    """

    def __init__(
        self,
        stream: Stream,
        function: Callable[..., Any],
        num_threads: int,
        place: core.Progress,
    ) -> None:
        self._stream, self._function = stream, function
        self._place = place  # The place of the stream, which only `_read` moves.
        self._reader: ThreadPoolExecutor | None
        self._reader = ThreadPoolExecutor(1, "rowfeed-reader")
        self._pool: ThreadPoolExecutor | None
        self._pool = ThreadPoolExecutor(num_threads, "rowfeed-transform")
        self.reads: deque[Future[_Made | None]] = deque()

    def ask(self) -> None:
        reader = self._reader
        if reader is None:
            raise ValueError("the iteration is closed")
        self.reads.append(reader.submit(self._read))

    def _read(self) -> _Made | None:
        _exiting.check()
        batch = self._stream.next()
        pool = self._pool
        if batch is None or pool is None:
            return None
        before, after = self._place, self._stream.progress
        self._place = after
        return _Made(pool.submit(_called, self._function, batch, before, after), after)

    def drop(self) -> list[Future[_Made | None]]:
        """Cancels reads and calls that have not begun; returns reads under way."""
        self._reader = self._pool = None
        # The copy is one atomic step, since a consumer may be taking a read.
        reads = list(self.reads)
        running = [read for read in reads if not read.cancel()]
        for read in running:
            if read.done() and read.exception() is None:
                made = read.result()
                if made is not None:
                    made.element.cancel()
        return running


def _called(function: Callable[..., Any], *batch: Any) -> Any:
    _exiting.check()
    return function(*batch)


class _Exit:
    """Knows whether Python exits; its exit waits until executors have no more work."""

    def __init__(self) -> None:
        """Registers a function that runs before the executors' own exit function.

        Such functions run in the reverse order of their registration.
        """
        self.has_begun = False
        # Functions registered with `atexit` would run only after the executors' own.
        register: Any = getattr(threading, "_register_atexit", None)
        if register is not None:
            register(self._begin)

    def _begin(self) -> None:
        self.has_begun = True

    def check(self) -> None:
        """Raises during exit, so that work that has not begun is left out.

        Raises:
            RuntimeError: Python exits.
        """
        if self.has_begun:
            raise RuntimeError("nothing is read or transformed while Python exits")


_exiting = _Exit()


def _result(future: Future[Any]) -> Any:
    try:
        return future.result()
    except StopIteration as error:  # Raised as it is, it would end the iteration.
        raise RuntimeError("transform raised StopIteration") from error
    finally:
        del future
