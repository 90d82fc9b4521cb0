# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Elements that go through the user's function, in threads, before their turn comes."""

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
from typing import Any, NamedTuple, Protocol

from rowfeed._native import core
from rowfeed._options.resolved import Resolved


class Position(Protocol):
    """What knows where an iteration stands."""

    @property
    def progress(self) -> core.Progress:
        """Behind what was delivered last."""


class Stream(Position, Protocol):
    """What an iteration needs of a native BatchStream, or of what stands before one."""

    @property
    def next_epoch(self) -> int:
        """That of `progress`, for less."""

    def next(self) -> Any:
        """Returns what comes next; a native stream None at the end."""

    def restore(self, progress: core.Progress) -> None:
        """Goes on from `progress`."""

    def close(self) -> None:
        """Ends a `next` that waits."""


class Ahead:
    """Stands before a stream: gives its elements transformed, in their order.

    Its place is the consumer's, whatever the threads have read ahead. They read no
    further than to the end of an epoch: the next one is taken from the cursor when it
    is asked for. At most twice `num_threads` elements are read and not handed over.

    One thread calls `next` and `restore` at a time; the rest may come from any.
    """

    def __init__(
        self,
        stream: Stream,
        cursor: core.Cursor,
        resolved: Resolved,
        function: Callable[[Any], Any],
        num_shares: int,
    ) -> None:
        """Starts nothing.

        Args:
            stream: What is read, by this object alone.
            cursor: From which it takes its epochs.
            resolved: The parameters of its dataset.
            function: Makes the element of a batch of the stream.
            num_shares: Among how many the batches of an epoch are divided; `stream`
                has one share.
        """
        self._stream, self._cursor, self._resolved = stream, cursor, resolved
        self._function: Callable[[Any], Any] | None = function  # None: closed.
        self._num_shares = num_shares
        self._closed: Future[None] = Future()
        self._threads: _Threads | None = None
        # Behind the last element handed over; None: nothing was read yet.
        self._place: core.Progress | None = None
        # The same, errors counted in.
        self._reached: core.Progress | None = None
        # Whether what is read now may take an epoch that `_place` does not know of.
        self._begins = False
        self._rewinds = False  # Whether the stream must go back to `_place`.
        self._ended = False

    @property
    def progress(self) -> core.Progress:
        """Where the consumer is, as the stream would have it."""
        place = self._place
        if place is None or self._ended:
            return self._stream.progress
        if self._begins:
            return place
        next_epoch = self._cursor.peek().epoch
        return core.Progress(place.epoch, place.row, next_epoch, place.epochs_done)

    @property
    def next_epoch(self) -> int:
        """That of `progress`."""
        return self.progress.next_epoch

    def next(self) -> Any:
        """Returns the next element, or raises what it took to make it.

        Raises:
            StopIteration: There is none.
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
                return read.result()  # Raises, and the consumer is where it was.
            self._reached = made.place
            element = _result(made.element)
            self._place, self._begins = made.place, False
            return element
        finally:
            del read, made  # Else an error holds this frame, and this frame the error.

    def restore(self, progress: core.Progress) -> None:
        """Makes `progress` the place of the next element."""
        self._drop()
        self._stream.restore(progress)
        self._place = self._reached = progress
        self._begins, self._rewinds, self._ended = True, False, False

    def close(self) -> None:
        """Ends a `next` that waits; functions that run are left to their end."""
        with suppress(InvalidStateError):  # It is closed already.
            self._closed.set_result(None)
        self._stream.close()
        self._function = None  # Which refers to the dataset, and it to this.
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.drop()

    def after_fork(self) -> None:
        """Forgets threads that are the parent's."""
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
            num_threads = self._resolved.stream.num_threads
            self._threads = _Threads(self._stream, self._function, num_threads)
        return self._threads

    def _rewind(self) -> None:
        """Takes back what was read ahead, and no epoch from anybody else."""
        begins, following = self._begins, self._cursor.peek()
        self.restore(self.progress)
        if not begins:
            self._cursor.move(following)

    def _ask(self, threads: _Threads) -> None:
        assert self._reached is not None
        left = self._resolved.steps_in(self._reached.epoch, self._reached.row)
        ours = left // self._num_shares
        if not ours:
            self._begins = True
        most = min(2 * self._resolved.stream.num_threads, max(1, ours))
        try:
            while len(threads.reads) < most:
                threads.ask()
        except BaseException:  # A read may have been asked for that nobody waits for.
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
    place: core.Progress  # Behind it.


class _Threads:
    """One thread that reads a stream, and some that apply a function.

    Executors are not shut down but let go of: their threads end when they have nothing
    left to do, and no lock is taken, as this may happen in a destructor.
    """

    def __init__(
        self, stream: Stream, function: Callable[[Any], Any], num_threads: int
    ) -> None:
        self._stream, self._function = stream, function
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
        place = self._stream.progress
        return _Made(pool.submit(_called, self._function, batch), place)

    def drop(self) -> list[Future[_Made | None]]:
        """Cancels what has not begun; returns the reads that could not be."""
        self._reader = self._pool = None
        reads = list(self.reads)  # At once: a consumer may be taking one.
        running = [read for read in reads if not read.cancel()]
        for read in running:
            if read.done() and read.exception() is None:
                made = read.result()
                if made is not None:
                    made.element.cancel()
        return running


def _called(function: Callable[[Any], Any], batch: Any) -> Any:
    _exiting.check()
    return function(batch)


class _Exit:
    """Whether the interpreter exits, which waits until executors have nothing to do."""

    def __init__(self) -> None:
        """Is told before the executors' own exit, as both come in reverse order."""
        self._begun = False
        # What is registered with `atexit` comes behind that.
        register: Any = getattr(threading, "_register_atexit", None)
        if register is not None:
            register(self._begin)

    def _begin(self) -> None:
        self._begun = True

    def check(self) -> None:
        """Leaves out what has not begun: nobody waits for it but the exit."""
        if self._begun:
            raise RuntimeError("nothing is read or transformed while Python exits")


_exiting = _Exit()


def _result(future: Future[Any]) -> Any:
    try:
        return future.result()
    except StopIteration as error:  # Else it would be the end of the iteration.
        raise RuntimeError("transform raised StopIteration") from error
    finally:
        del future
