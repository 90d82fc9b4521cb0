# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One plan on all ranks: the ranks of a group compare as they go.

Ranks that differ in files, seed or batch size make unequal steps, which shows an hour
later as a job that hangs; ranks that differ in their epoch train on rows twice. So each
writes what it is about to deliver to a store that all of them reach, rank 0 compares,
and all read the verdict (`rowfeed._ranks.meeting`). Then what a filter leaves is
counted together, unless somebody knows it (`rowfeed._ranks.shared_count`). Of data that
grows rank 0 lists each epoch for all. The store is the framework's: see
`rowfeed._torch.ranks` and `rowfeed._tensorflow.ranks`.

It is not a collective: it needs no device, may run in any thread and in a worker of a
DataLoader, and cannot get in the way of the collectives of the training.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rowfeed._native import core
from rowfeed._options.resolved import Resolved
from rowfeed._ranks.meeting import Meeting
from rowfeed._ranks.shared_count import SharedCount
from rowfeed._ranks.store_wait import Store, Wait

_DONE, _FAILED = b"+", b"-"  # How listings in the store begin.


def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Turn:
    """The next meeting of a dataset on this rank.

    Attributes:
        number: How many there have been.
        plan: What this rank is about to deliver.
        pass_: Counts one more.
    """

    number: int
    plan: Mapping[str, Any]
    pass_: Callable[[], None] = _nothing


@dataclass(frozen=True, kw_only=True)
class Agreement(ABC):
    """How a dataset meets those of the other ranks.

    Attributes:
        key: Of the dataset in the store, the same on all ranks.
        rank: Of this process.
        world_size: Ranks that compare.
        timeout_s: Seconds to wait for the others.
        advice: What the others are to do, for messages.
    """

    key: str
    rank: int
    world_size: int
    timeout_s: float
    advice: ClassVar[str]
    # Whether copies of a dataset, in workers, list for themselves, maybe once more.
    has_copies: ClassVar[bool] = False
    # Of each epoch that is not listed for all, how often rank 0 said that it could not.
    _failures: dict[int, int] = field(default_factory=dict, init=False, compare=False)
    # The keys of listings that rank 0 has written and others may not have read.
    _listings: list[str] = field(default_factory=list, init=False, compare=False)

    def compare(
        self,
        turn: Turn,
        is_abandoned: Callable[[], bool],
        rows: Sequence[core.DatasetRows] = (),
    ) -> None:
        """Waits for the other ranks' plans, and counts rows if all are equal.

        Args:
            turn: The meeting, and what this rank is about to deliver.
            is_abandoned: Whether to give up waiting.
            rows: Of each source of the dataset: known on return.

        Raises:
            RuntimeError: Another rank could not count its share of the rows, or met
                an error while it iterated.
            ValueError: The plans differ: on every rank, with one message that names
                the first field that differs.
            TimeoutError: A rank did not come, or did not count its share, in time.
        """
        store = self.connect()
        meeting = self._meeting(turn.number, store)
        wait = self._wait(store, is_abandoned)
        known = [source.is_known for source in rows]
        try:
            who_counts = meeting.compare(turn.plan, known, wait, turn.pass_)
            for i, who in enumerate(who_counts):
                key = f"{meeting.key}/rows/{i}"
                count = SharedCount(key, self.rank, self.world_size, self.timeout_s)
                count.run(rows[i], who, store, is_abandoned)
        finally:
            meeting.leave(wait)

    def fail(self, number: int, error: BaseException) -> None:
        """Tells the other ranks, who may wait at a meeting, why this one may not come.

        Args:
            number: The meeting's.
            error: What this rank met.
        """
        with contextlib.suppress(RuntimeError):  # The caller has an error to raise.
            reason = f"{type(error).__name__}: {error}"
            self._meeting(number, self.connect()).fail(reason)

    @abstractmethod
    def introduce(self, resolved: Resolved) -> None:
        """Tells the other ranks of the dataset that was made; waits for nobody."""

    def refuse(self, error: BaseException) -> None:
        """Tells the other ranks that this one could not make its dataset."""
        self.fail(0, error)

    def list_epoch(
        self,
        snapshots: core.Snapshots,
        epoch: int,
        is_abandoned: Callable[[], bool],
        turn: Turn | None = None,
    ) -> None:
        """Makes an epoch of data that grows what it is on rank 0, which lists it.

        Does nothing if the epoch has begun, as it has after a resume. After an error
        all ranks may try again.

        Args:
            snapshots: Those of the dataset.
            epoch: Its number.
            is_abandoned: Whether to give up waiting.
            turn: The meeting that the epoch will be compared at, where rank 0 may be
                at, in another epoch; None: the ranks have met.

        Raises:
            RuntimeError: Rank 0 could not list; there its own error is raised.
            TimeoutError: Rank 0 did not come in time.
            ValueError: Rank 0 is in another epoch.
        """
        if snapshots.fingerprint_of(epoch) and epoch not in self._failures:
            return
        failures = self._failures.setdefault(epoch, 0)
        key = f"{self.key}/epoch {epoch}/{failures}"
        if self.rank == 0:
            self._write_listing(snapshots, epoch, key)
        else:
            store = self.connect()
            self._await_listing(store, key, is_abandoned, turn)
            found = store.get(key)
            if found.startswith(_FAILED):
                self._failures[epoch] = failures + 1
                raise RuntimeError(f"rank 0: {found.removeprefix(_FAILED).decode()}")
            snapshots.load(epoch, found.removeprefix(_DONE))
            store.set(f"{key}/read by {self.rank}", "")
        self._failures.pop(epoch, None)

    def _await_listing(
        self,
        store: Store,
        key: str,
        is_abandoned: Callable[[], bool],
        turn: Turn | None,
    ) -> None:
        wait = self._wait(store, is_abandoned)
        if turn is None or store.check([key]):
            wait.get(key, "rank 0")
            return
        meeting = self._meeting(turn.number, store)
        meeting.expect(turn.plan)

        def is_there() -> bool | None:
            return store.check([key]) or (False if meeting.has_verdict() else None)

        if not wait.until(is_there, "rank 0"):
            try:
                meeting.read(turn.plan, turn.pass_)
            finally:
                meeting.leave(wait)
            raise RuntimeError(  # They have compared what this rank took back since.
                "the other ranks have gone on without this one: make the dataset anew, "
                "on all of them"
            )
        meeting.expect({})

    def _write_listing(self, snapshots: core.Snapshots, epoch: int, key: str) -> None:
        store = self.connect()
        if self.has_copies and store.check([key]):
            found = store.get(key)
            if found.startswith(_DONE):  # As it was, since others may have read it.
                snapshots.load(epoch, found.removeprefix(_DONE))
                if key in self._listings:  # Or read it again: it stays.
                    self._listings.remove(key)
                return
        self._drop_listings(store)
        try:
            snapshots.begin(epoch)
            store.set(key, _DONE + snapshots.save(epoch))
        except BaseException as error:
            reason = str(error) or type(error).__name__
            store.set(key, _FAILED + reason.encode())
            self._failures[epoch] += 1
            raise
        self._listings.append(key)

    def _drop_listings(self, store: Store) -> None:
        """Deletes those that all ranks have read: they are large."""
        for key in list(self._listings):
            readers = [f"{key}/read by {rank}" for rank in range(1, self.world_size)]
            if store.check(readers):
                for read in (*readers, key):
                    store.delete_key(read)
                self._listings.remove(key)

    def _meeting(self, number: int, store: Store) -> Meeting:
        return Meeting(f"{self.key}/{number}", self.rank, self.world_size, store)

    def _wait(self, store: Store, is_abandoned: Callable[[], bool]) -> Wait:
        return Wait(store, self.rank, self.timeout_s, is_abandoned, self.advice)

    @abstractmethod
    def connect(self) -> Store:
        """Returns the store that all ranks reach."""
