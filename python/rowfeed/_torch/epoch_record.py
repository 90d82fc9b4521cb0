# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Which epoch comes next, in memory that processes share.

A DataLoader copies the dataset into its workers for each pass. The workers of one pass
must take the same epoch, and the next pass the next one: so this cannot be part of what
is copied. It lies in anonymous memory that the copies refer to.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowfeed._torch.epoch_claims import (
    CONTENT,
    Claim,
    Place,
    Worker,
    claim_of,
    joined_claim,
    place_of,
    start_of,
)

_NAME = "rowfeed-epochs"


class EpochRecord:
    """The next epoch of a dataset. Safe to use from any thread and process."""

    def __init__(self, fd: int) -> None:
        """Takes over `fd`, the memory of a record."""
        self._fd = fd
        memory = mmap.mmap(fd, CONTENT.itemsize)
        self._content: NDArray[Any] = np.ndarray((), CONTENT, memory)
        weakref.finalize(self, os.close, fd)
        self._depth = 0  # Of this thread's uses, each in a signal handler of the last.

    @classmethod
    def create(cls, start: Place, generation: int = 0) -> EpochRecord:
        """Makes a record of which the first claim takes `start`."""
        fd = os.memfd_create(_NAME)
        os.ftruncate(fd, CONTENT.itemsize)
        record = cls(fd)
        record._content["next"] = start
        record._content["generation"] = generation
        return record

    @classmethod
    def open(cls, path: str) -> EpochRecord:
        """Refers to the record at `path` of a process that lives.

        Raises:
            RuntimeError: There is none any more.
        """
        with suppress(OSError):
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            file = Path(f"/proc/self/fd/{fd}").readlink()
            if str(file).startswith(f"/memfd:{_NAME} "):
                return cls(fd)
            os.close(fd)
        raise RuntimeError("the dataset that this worker has a copy of is gone")

    @property
    def path(self) -> str:
        """Where other processes find this record."""
        return f"/proc/{os.getpid()}/fd/{self._fd}"

    @property
    def generation(self) -> int:
        """How often the next claim's place was moved."""
        return int(self._content["generation"])

    def peek(self, worker: Worker | None = None) -> Place:
        """Returns what the next claim takes.

        Args:
            worker: Which the caller is, if it is one: the workers of a pass take the
                same epoch.
        """
        with self._locked() as content:
            if worker is None:
                return place_of(content["next"])
            claim = claim_of(content, worker)
            if not claim["taken"]:
                claim["place"] = content["next"]
            return place_of(claim["place"])

    @property
    def by_workers(self) -> bool:
        """Whether workers iterate: the last that began, or went on, was theirs."""
        return bool(self._content["by_workers"])

    @property
    def order(self) -> int:
        """The digest of the order that a state has given the dataset; 0: none has."""
        return int(self._content["order"])

    def adopt(self, order: int) -> None:
        """Says that the dataset's order is now that of the digest."""
        with self._locked() as content:
            content["order"] = order

    def move(self, place: Place) -> None:
        """Makes the next claim take `place`."""
        with self._locked() as content:
            content["next"] = place
            content["generation"] += 1
            content["by_workers"] = False

    def claim(self, claim: Claim, worker: Worker | None = None) -> None:
        """Takes a place that `peek` returned for the same `worker`.

        Sets the claim's generation, for `reach`, unless others have taken the place.
        """
        place = claim.progress.astuple()
        taken, following = np.array(place), np.array(start_of(place[2]))
        with self._locked() as content:
            generation = int(content["generation"])
            shared = None if worker is None else claim_of(content, worker)
            if shared is not None and shared["taken"]:
                if place_of(shared["place"]) == place:
                    claim.generation = generation
                return
            if place_of(content["next"]) != place:
                return
            # From here on no signal is handled, which could move or claim, or raise and
            # leave a place taken by nobody: nothing is called, and what is stored are
            # arrays, since NumPy handles signals where it makes one of a tuple.
            if content["generation"] != generation or content["next"][2] != place[2]:
                return
            content["next"] = following
            claim.generation = generation
            content["by_workers"] = shared is not None
            if shared is not None:
                shared["place"], shared["taken"] = taken, True

    def end(self, worker: Worker) -> None:
        """Says that a worker has delivered all of its pass that it has."""
        with self._locked() as content:
            claim = joined_claim(content, worker)
            if claim is not None and claim["taken"]:  # Else it was restored.
                claim["ended"] = True

    def reach(self, next_epoch: int, claim: Claim) -> None:
        """Says that an iteration has begun the epoch before `next_epoch`.

        Args:
            next_epoch: At the least what the next claim takes.
            claim: The iteration's own: after a move it has no say.
        """
        following, generation = np.array(start_of(next_epoch)), claim.generation
        with self._locked() as content:
            if content["generation"] == generation and content["next"][0] < next_epoch:
                content["next"] = following

    def restore(self, claim: Claim, *, by_workers: bool) -> None:
        """Makes the next claim take what follows `claim`, unless it was moved since."""
        following = np.array(start_of(claim.progress.next_epoch))
        generation = claim.generation
        with self._locked() as content:
            if content["generation"] == generation:
                content["next"] = following
            content["by_workers"] = by_workers

    def warn_once(self) -> bool:
        """Returns True the first time."""
        with self._locked() as content:
            first = not content["warned"]
            content["warned"] = True
            return first

    @property
    def agreed(self) -> bool:
        """Whether all ranks have made the dataset, and with one plan."""
        return bool(self._content["agreed"])

    def agree(self) -> None:
        """Says that they have."""
        with self._locked() as content:
            content["agreed"] = True

    @property
    def meetings(self) -> int:
        """How often the ranks have compared where they stand."""
        return int(self._content["meetings"])

    def meet(self) -> None:
        """Says that they have done so once more."""
        with self._locked() as content:
            content["meetings"] += 1
            content["unmet"] = 0

    @property
    def unmet(self) -> int:
        """How many iterations have begun since the ranks have compared."""
        return int(self._content["unmet"])

    def begin_unmet(self) -> None:
        """Says that one more has begun."""
        with self._locked() as content:
            content["unmet"] += 1

    @contextmanager
    def _locked(self) -> Iterator[NDArray[Any]]:
        with _threads:
            self._depth += 1
            try:
                # Between processes only, and not nested.
                if self._depth == 1:
                    fcntl.lockf(self._fd, fcntl.LOCK_EX)
                yield self._content
            finally:
                self._depth -= 1
                if self._depth == 0:
                    fcntl.lockf(self._fd, fcntl.LOCK_UN)


class EpochRecords:
    """The record of a dataset, and that of the process it was copied from.

    A copy in another process, by fork or by spawn, has a record of its own that starts
    where the original stood; only DataLoader workers go on with the original's.

    Attributes:
        own: For iterations in this process and in its workers.
        is_copy: Whether the original is in another process.
    """

    def __init__(self, start: Place, parent_path: str | None = None) -> None:
        """Starts at `start`; `parent_path` is that of the original's record."""
        self.own = EpochRecord.create(start)
        self.is_copy = parent_path is not None
        self._parent: EpochRecord | None = None
        self._parent_path = parent_path
        _live.add(self)

    @property
    def of_worker(self) -> EpochRecord:
        """The record for iterations of this process if it is a worker.

        That of the original; of a dataset that was made in the worker, its own. Before
        a worker asks, the original need not live.
        """
        if not self.is_copy:
            return self.own
        if self._parent is None:
            assert self._parent_path is not None
            self._parent = EpochRecord.open(self._parent_path)
        return self._parent

    def before_fork(self) -> None:
        """Notes where the copy is to start."""
        content = self.own._content
        self._at_fork = place_of(content["next"]), int(content["generation"])

    def after_fork(self) -> None:
        """Gives the copy in the child a record of its own."""
        self.is_copy, self._parent = True, self.own
        self.own = EpochRecord.create(*self._at_fork)


_threads = threading.RLock()  # A signal handler may ask while its thread claims.
_live: weakref.WeakSet[EpochRecords] = weakref.WeakSet()


def _before_fork() -> None:
    _threads.acquire()
    for records in list(_live):
        records.before_fork()


def _after_fork() -> None:
    _threads.release()
    for records in list(_live):
        records.after_fork()


os.register_at_fork(
    before=_before_fork, after_in_parent=_threads.release, after_in_child=_after_fork
)
