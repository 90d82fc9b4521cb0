# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A record of which epoch comes next, in memory that processes share.

A DataLoader copies the dataset into its workers for each pass. The workers of one pass
must take the same epoch, and those of the next pass the next epoch. So the record is
not part of the copy: it lies in anonymous shared memory to which all copies refer.
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
    """The record of a dataset's next epoch; any thread and process may use it."""

    def __init__(self, fd: int) -> None:
        """Takes over `fd`, the file descriptor of a record's shared memory."""
        self._fd = fd
        memory = mmap.mmap(fd, CONTENT.itemsize)
        self._content: NDArray[Any] = np.ndarray((), CONTENT, memory)
        finalizer = weakref.finalize(self, os.close, fd)
        finalizer.atexit = False  # A daemon thread may use it until the process ends.
        # The number of uses of this thread, each in a signal handler within the last.
        self._depth = 0

    @classmethod
    def create(cls, start: Place, generation: int = 0) -> EpochRecord:
        """Makes a record whose first claim takes the place `start`."""
        fd = os.memfd_create(_NAME)
        os.ftruncate(fd, CONTENT.itemsize)
        record = cls(fd)
        record._content["next"] = start
        record._content["generation"] = generation
        return record

    @classmethod
    def open(cls, path: str) -> EpochRecord:
        """Opens the record that another process has at `path`.

        Raises:
            RuntimeError: The other process, or its record, is gone.
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
        """Path at which other processes can open this record, while this one lives."""
        return f"/proc/{os.getpid()}/fd/{self._fd}"

    @property
    def generation(self) -> int:
        """Number of times that `move` changed the next claim's place."""
        return int(self._content["generation"])

    def peek(self, worker: Worker | None = None) -> Place:
        """Returns the place that the next claim takes.

        Args:
            worker: Worker that asks, if one does. All workers of a pass get the same
                place.
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
        """Whether DataLoader workers made the last claim or restore."""
        return bool(self._content["by_workers"])

    @property
    def order(self) -> int:
        """Digest of the order that a loaded state gave the dataset; 0 if none did."""
        return int(self._content["order"])

    def adopt(self, order: int) -> None:
        """Records the digest of the dataset's new order."""
        with self._locked() as content:
            content["order"] = order

    def move(self, place: Place) -> None:
        """Makes the next claim take `place`, in a new generation."""
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
            # From here on no signal handler may run: it could move or claim, or raise
            # and so leave a place taken by nobody. Python runs handlers in calls, so
            # nothing is called. The stored values are arrays, since NumPy would run
            # handlers while it made an array of a tuple.
            if content["generation"] != generation or content["next"][2] != place[2]:
                return
            content["next"] = following
            claim.generation = generation
            content["by_workers"] = shared is not None
            if shared is not None:
                shared["place"], shared["taken"] = taken, True

    def end(self, worker: Worker) -> None:
        """Records that a worker has delivered all its batches of a pass."""
        with self._locked() as content:
            claim = joined_claim(content, worker)
            if claim is not None and claim["taken"]:  # Else the worker was restored.
                claim["ended"] = True

    def reach(self, next_epoch: int, claim: Claim) -> None:
        """Records that an iteration has begun the epoch before `next_epoch`.

        Args:
            next_epoch: Lowest epoch that the next claim may take.
            claim: Claim of the iteration. After a move of the record it is out of
                date, and nothing is recorded.
        """
        following, generation = np.array(start_of(next_epoch)), claim.generation
        with self._locked() as content:
            if content["generation"] == generation and content["next"][0] < next_epoch:
                content["next"] = following

    def restore(self, claim: Claim, *, by_workers: bool) -> None:
        """Makes the next claim take the epoch after `claim`, unless moved since."""
        following = np.array(start_of(claim.progress.next_epoch))
        generation = claim.generation
        with self._locked() as content:
            if content["generation"] == generation:
                content["next"] = following
            content["by_workers"] = by_workers

    def warn_once(self) -> bool:
        """Returns True at the first call, by whichever process, and False later."""
        with self._locked() as content:
            first = not content["warned"]
            content["warned"] = True
            return first

    @property
    def agreed(self) -> bool:
        """Whether all ranks have made the dataset, with equal plans."""
        return bool(self._content["agreed"])

    def agree(self) -> None:
        """Records that all ranks have made the dataset, with equal plans."""
        with self._locked() as content:
            content["agreed"] = True

    @property
    def meetings(self) -> int:
        """Number of times that the ranks have compared their places."""
        return int(self._content["meetings"])

    def regroup(self) -> None:
        """Forgets the meetings: the ranks that meet from now on are others."""
        with self._locked() as content:
            content["agreed"] = False
            content["meetings"] = content["unmet"] = 0

    def meet(self) -> None:
        """Records that the ranks have compared their places once more."""
        with self._locked() as content:
            content["meetings"] += 1
            content["unmet"] = 0

    @property
    def unmet(self) -> int:
        """Number of iterations that have begun since the ranks last compared."""
        return int(self._content["unmet"])

    def begin_unmet(self) -> None:
        """Records that one more iteration has begun since the ranks compared."""
        with self._locked() as content:
            content["unmet"] += 1

    @contextmanager
    def _locked(self) -> Iterator[NDArray[Any]]:
        with _threads:
            self._depth += 1
            try:
                # The file lock keeps out other processes, and does not nest.
                if self._depth == 1:
                    fcntl.lockf(self._fd, fcntl.LOCK_EX)
                yield self._content
            finally:
                self._depth -= 1
                if self._depth == 0:
                    fcntl.lockf(self._fd, fcntl.LOCK_UN)


class EpochRecords:
    """The records of the next epoch: a dataset's own, and that of its original.

    A copy in another process, by fork or by spawn, has a record of its own that starts
    at the place of the original. Only DataLoader workers use the original's record.

    Attributes:
        own: Record for iterations in this process and in its workers.
        is_copy: Whether the dataset is a copy of one in another process.
    """

    def __init__(self, start: Place, parent_path: str | None = None) -> None:
        """Makes a record that starts at `start`.

        Args:
            start: Place that the first claim takes.
            parent_path: Path of the original's record, if the dataset is a copy.
        """
        self.own = EpochRecord.create(start)
        self.is_copy = parent_path is not None
        self._parent: EpochRecord | None = None
        self._parent_path = parent_path
        _live.add(self)

    @property
    def of_worker(self) -> EpochRecord:
        """Record for iterations of this process, if it is a DataLoader worker.

        It is the record of the original dataset, which is opened here for the first
        time. A dataset that was made in the worker has no original and uses its own.
        """
        if not self.is_copy:
            return self.own
        if self._parent is None:
            assert self._parent_path is not None
            self._parent = EpochRecord.open(self._parent_path)
        return self._parent

    def before_fork(self) -> None:
        """Remembers the place at which the child's copy will start."""
        content = self.own._content
        self._at_fork = place_of(content["next"]), int(content["generation"])

    def after_fork(self) -> None:
        """Gives the dataset's copy in the child process a record of its own."""
        self.is_copy, self._parent = True, self.own
        self.own = EpochRecord.create(*self._at_fork)


# The lock is reentrant: a signal handler may use a record while its thread does.
_threads = threading.RLock()
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
