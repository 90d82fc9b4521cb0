# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes sure that all ranks of a group have one plan: they compare it as they go.

Ranks that differ in files, seed or batch size make unequal steps, which shows an hour
later as a job that hangs. Ranks that differ in their epoch train on rows twice. So each
rank writes what it is about to deliver to a store that all of them reach. Rank 0
compares, and all read its verdict (`rowfeed._ranks.meeting`). Then the ranks together
count the rows that a filter lets pass, unless a rank knows the number already
(`rowfeed._ranks.shared_count`). If the data grows, rank 0 lists each epoch for all. The
store is the framework's: see `rowfeed._torch.ranks` and `rowfeed._tensorflow.ranks`.

A comparison is not a collective of the framework. It needs no device, may run in any
thread and in a worker of a DataLoader, and cannot disturb the training's collectives.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._ranks.meeting import Meeting
from rowfeed._ranks.shared_count import SharedCount
from rowfeed._ranks.store_wait import Store, Wait
from rowfeed._ranks.waiting_places import WaitingPlaces, place_of

# The first byte of a listing in the store: it was made, or why it could not be.
_DONE, _FAILED = b"+", b"-"


def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Turn:
    """The next meeting of a dataset on this rank, at which the ranks compare plans.

    Attributes:
        number: Number of the meeting: how many meetings the dataset had before.
        plan: Plan of this rank: what it is about to deliver.
        pass_: Function to call when the meeting is over; it increases the number.
        place: Function that returns where this rank stands, as text for messages.
    """

    number: int
    plan: Mapping[str, Any]
    pass_: Callable[[], None] = _nothing
    place: Callable[[], str] | None = None


@dataclass(frozen=True, kw_only=True)
class Agreement(ABC):
    """How a dataset of this rank meets the same dataset of the other ranks.

    Attributes:
        key: Prefix of the dataset's keys in the store, the same on all ranks. Behind
            its last slash is the number of the dataset on its rank.
        rank: Rank of this process.
        world_size: Number of ranks that compare.
        timeout_s: Time to wait for the other ranks, in seconds.
        what: Text for messages that says what the other ranks have to do.
        advice: Sentences for messages that say what the user has to do.
    """

    key: str
    rank: int
    world_size: int
    timeout_s: float
    what: ClassVar[str]
    advice: ClassVar[str]
    # Whether the dataset may have copies in worker processes. A copy on rank 0 may want
    # to list an epoch that was listed before, and then reads the first listing.
    has_copies: ClassVar[bool] = False
    # For each epoch that is not listed yet, how often rank 0 failed to list it.
    _failures: dict[int, int] = field(default_factory=dict, init=False, compare=False)
    # The keys of the listings that rank 0 wrote and that are not deleted yet.
    _listings: list[str] = field(default_factory=list, init=False, compare=False)

    def compare(
        self,
        turn: Turn,
        is_abandoned: Callable[[], bool],
        rows: Sequence[core.DatasetRows] = (),
    ) -> None:
        """Waits for the other ranks' plans, and counts rows if all are equal.

        Args:
            turn: Meeting, and the plan of this rank.
            is_abandoned: Function that tells whether to give up waiting.
            rows: Rows of each source of the dataset. On return, their number is known.

        Raises:
            RuntimeError: Another rank could not count its share of the rows, or met
                an error while it iterated.
            ValueError: The plans differ: on every rank, with one message that names
                the first field that differs.
            TimeoutError: A rank did not come, or did not count its share, in time.
        """
        store = self.connect()
        meeting = self._meeting(turn.number, store)
        wait = self._wait(store, is_abandoned, turn.place)
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
            number: Number of the meeting.
            error: Error that this rank met.
        """
        with contextlib.suppress(RuntimeError):  # The caller raises `error` anyway.
            reason = f"{type(error).__name__}: {error}"
            self._meeting(number, self.connect()).fail(reason)

    @abstractmethod
    def introduce(self, parameters: Parameters) -> None:
        """Writes the plan of the new dataset for the other ranks; waits for nobody."""

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
        """Gives all ranks the same files for an epoch of data that grows.

        Rank 0 lists the files and writes the listing to the store; the others read it.
        Does nothing if the epoch has begun, as it has after a resume. After an error
        all ranks may try again.

        Args:
            snapshots: Snapshots of the dataset, which hold the files of each epoch.
            epoch: Number of the epoch.
            is_abandoned: Function that tells whether to give up waiting.
            turn: Next meeting, at which the ranks will compare this epoch. Rank 0 may
                wait there with another epoch, which is then found out. None if the
                ranks have compared this epoch already.

        Raises:
            RuntimeError: Rank 0 could not list. On rank 0 its own error is raised.
            TimeoutError: Rank 0 did not list in time.
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
        wait = self._wait(store, is_abandoned, None if turn is None else turn.place)
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
            # The ranks compared an earlier plan of this rank, which it replaced since.
            raise RuntimeError(
                "the other ranks have gone on without this one: make the dataset anew, "
                "on all of them"
            )
        meeting.expect({})

    def _write_listing(self, snapshots: core.Snapshots, epoch: int, key: str) -> None:
        store = self.connect()
        if self.has_copies and store.check([key]):
            found = store.get(key)
            if found.startswith(_DONE):
                # Other ranks may have read this listing, so it is not made anew.
                snapshots.load(epoch, found.removeprefix(_DONE))
                if key in self._listings:  # They may read it again: do not delete it.
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
        """Deletes the listings that all ranks have read, since listings are large."""
        for key in list(self._listings):
            readers = [f"{key}/read by {rank}" for rank in range(1, self.world_size)]
            if store.check(readers):
                for read in (*readers, key):
                    store.delete_key(read)
                self._listings.remove(key)

    def _meeting(self, number: int, store: Store) -> Meeting:
        return Meeting(f"{self.key}/{number}", self.rank, self.world_size, store)

    def _wait(
        self,
        store: Store,
        is_abandoned: Callable[[], bool],
        place: Callable[[], str] | None,
        what: str | None = None,
    ) -> Wait:
        group, _, _ = self.key.rpartition("/")
        places = place and WaitingPlaces(
            store, f"{group}/waits", self.rank, self.world_size, place
        )
        return Wait(
            store=store,
            rank=self.rank,
            timeout_s=self.timeout_s,
            is_abandoned=is_abandoned,
            what=what or self.what,
            advice=self.advice,
            places=places or None,
        )

    def place_in(self, parameters: Parameters, epoch: int) -> Callable[[], str]:
        """Returns a function that returns where this rank stands, for messages."""
        _, _, number = self.key.rpartition("/")
        return partial(place_of, parameters, number, epoch)

    @abstractmethod
    def connect(self) -> Store:
        """Returns the store that all ranks reach."""
