# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One plan on all ranks: the ranks of a group compare before they begin.

Ranks that differ in files, seed or batch size make unequal steps, which shows an hour
later as a job that hangs. So each writes what it is about to deliver to a store that
all of them reach, rank 0 compares, and all read the verdict. Then what a filter leaves
is counted together, unless somebody knows it (`rowfeed.shared_count`). Of data that
grows rank 0 lists each epoch for all. The store is the framework's: see
`rowfeed.torch_ranks` and `rowfeed.tensorflow_ranks`.

It is not a collective: it needs no device, may run in any thread and in a worker of a
DataLoader, and cannot get in the way of the collectives of the training.
"""

from __future__ import annotations

import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from rowfeed import state
from rowfeed._native import core
from rowfeed.mixed import MixedResolved
from rowfeed.resolved import Resolved
from rowfeed.shared_count import SharedCount, counters
from rowfeed.store_wait import Store, Wait

_DONE, _FAILED = b"+", b"-"  # How listings in the store begin.
_KNOWN: Final = "known"  # Beside a plan: of each source, whether it is counted.
_NAMED_RANKS: Final = 8  # More than these are counted in messages.


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
        plan: Mapping[str, Any],
        is_abandoned: Callable[[], bool],
        rows: Sequence[core.DatasetRows] = (),
    ) -> None:
        """Waits for the other ranks' plans, and counts rows if all are equal.

        Args:
            plan: What `plan_of` returned.
            is_abandoned: Whether to give up waiting.
            rows: Of each source of the dataset: known on return.

        Raises:
            RuntimeError: Another rank could not count its share of the rows.
            ValueError: The plans differ, or a rank could not make its dataset: on every
                rank, with one message that names the first field that differs.
            TimeoutError: A rank did not come, or did not count its share, in time.
        """
        store = self.connect()
        wait = Wait(store, self.rank, self.timeout_s, is_abandoned, self.advice)
        readers: list[str] = []  # For whom to stay: rank 0 for all that come.
        known = [source.is_known for source in rows]
        store.set(self._key_of(self.rank), json.dumps({**plan, _KNOWN: known}))
        if self.rank == 0:
            plans = [
                json.loads(wait.get(self._key_of(rank), lambda: self._absent(store)))
                for rank in range(self.world_size)
            ]
            readers = [
                self._read_by(rank) for rank, p in enumerate(plans) if "error" not in p
            ]
            who_knows = [plan.pop(_KNOWN, []) for plan in plans]
            verdict = difference(plans)
            if not verdict:
                store.set(f"{self.key}/counters", json.dumps(counters(who_knows)))
            store.set(f"{self.key}/verdict", verdict)
        try:
            found = wait.get(f"{self.key}/verdict", lambda: self._absent(store))
            verdict = found.decode()
            if verdict:
                raise ValueError(verdict)
            for i, who in enumerate(json.loads(store.get(f"{self.key}/counters"))):
                key = f"{self.key}/rows/{i}"
                count = SharedCount(key, self.rank, self.world_size, self.timeout_s)
                count.run(rows[i], who, store, is_abandoned)
        finally:
            store.set(self._read_by(self.rank), "")
            wait.until_all(readers)  # The store may end with rank 0.

    def list_epoch(
        self, snapshots: core.Snapshots, epoch: int, is_abandoned: Callable[[], bool]
    ) -> None:
        """Makes an epoch of data that grows what it is on rank 0, which lists it.

        Does nothing if the epoch has begun, as it has after a resume. After an error
        all ranks may try again.

        Args:
            snapshots: Those of the dataset.
            epoch: Its number.
            is_abandoned: Whether to give up waiting.

        Raises:
            RuntimeError: Rank 0 could not list; there its own error is raised.
            TimeoutError: Rank 0 did not come in time.
        """
        if snapshots.fingerprint_of(epoch) and epoch not in self._failures:
            return
        failures = self._failures.setdefault(epoch, 0)
        key = f"{self.key}/epoch {epoch}/{failures}"
        if self.rank == 0:
            self._write_listing(snapshots, epoch, key)
        else:
            store = self.connect()
            wait = Wait(store, self.rank, self.timeout_s, is_abandoned, self.advice)
            found = wait.get(key, "rank 0")
            if found.startswith(_FAILED):
                self._failures[epoch] = failures + 1
                raise RuntimeError(f"rank 0: {found.removeprefix(_FAILED).decode()}")
            snapshots.load(epoch, found.removeprefix(_DONE))
            store.set(f"{key}/read by {self.rank}", "")
        self._failures.pop(epoch, None)

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

    def agree(
        self,
        resolved: Resolved,
        place: core.Progress,
        is_abandoned: Callable[[], bool],
        *,
        begins: bool,
    ) -> None:
        """Compares a dataset with those of the other ranks: see `compare`.

        Args:
            resolved: The dataset.
            place: Where its iteration begins.
            is_abandoned: Whether to give up waiting.
            begins: As of `plan_of`.
        """
        grows = resolved.snapshots is not None  # Then each epoch is counted.
        rows = [] if grows else resolved.all_rows
        self.compare(plan_of(resolved, place, begins=begins), is_abandoned, rows)

    def refuse(self, error: BaseException) -> None:
        """Tells the other ranks that this one could not make its dataset."""
        reason = {"error": f"{type(error).__name__}: {error}"}
        with contextlib.suppress(RuntimeError):  # The caller has an error to raise.
            store = self.connect()
            store.set(self._key_of(self.rank), json.dumps(reason))
            if self.rank == 0:
                store.set(f"{self.key}/verdict", difference([reason]))

    @abstractmethod
    def connect(self) -> Store:
        """Returns the store that all ranks reach."""

    def _absent(self, store: Store) -> str:
        """Names the ranks that have not come, for messages."""
        absent = [
            rank
            for rank in range(self.world_size)
            if not store.check([self._key_of(rank)])
        ]
        return _named(absent) if absent else "rank 0"  # It has yet to compare.

    def _key_of(self, rank: int) -> str:
        return f"{self.key}/{rank}"

    def _read_by(self, rank: int) -> str:
        return f"{self.key}/read by {rank}"


def plan_of(resolved: Resolved, place: core.Progress, *, begins: bool) -> state.State:
    """Returns what the ranks must have in common, as a JSON-able dict.

    Args:
        resolved: The dataset.
        place: Where its iteration begins.
        begins: Whether `place` is the same on all ranks; else it is left out.
    """
    stands = state.make(place, resolved)
    delivery, num_epochs = resolved.stream.delivery, resolved.options.num_epochs
    plan = {
        **_identity(stands),
        "order_version": stands["order_version"],
        "remainder": delivery.remainder,
        "batch_size": delivery.batch_size,
        "num_epochs": None if num_epochs is None else int(num_epochs),
    }
    if isinstance(resolved, MixedResolved):
        later = resolved.schedule_from(place.epoch)[1:]
        plan["weights of later epochs"] = [list(each) for each in later]
    fields = ("epoch", "row", "next_epoch", "epochs_done") if begins else ()
    return {**plan, **{name: stands[name] for name in fields}}


def _identity(state: state.State) -> state.State:
    """Returns data and order, of each source of a mixture, field by field.

    Each has all that matters, since a field that one rank lacks is no difference.
    """
    if "mixture" not in state:
        order = {"filter": None, **state["order"]}
        if not order["shuffle"]:
            del order["shuffle_window"]  # By default it is that of what a rank found.
        return {"sources": 1, "fingerprint": state["fingerprint"], **order}
    mixture, sources = state["mixture"], state["mixture"]["sources"]
    fields = {"stop": mixture["stop"], "weights": mixture["weights"]}
    fields["sources"] = len(sources)
    for i, source in enumerate(sources):
        for name, value in _identity(source).items():
            fields[f"{name} of source {i}"] = value
    return fields


def difference(plans: Sequence[Mapping[str, Any]]) -> str:
    """Returns what to say of the first field that differs; "" if none does.

    Args:
        plans: Of the ranks, in their order. Where one has no such field it agrees.

    Example:
        >>> difference([{"seed": 7}, {"seed": 8}, {"seed": 7}])
        'the ranks have different plans: seed is 7 on ranks 0, 2 and 8 on rank 1'
    """
    for rank, plan in enumerate(plans):
        if "error" in plan:
            return f"rank {rank} could not make its dataset: {plan['error']}"
    for name in plans[0]:
        ranks_of: dict[str, list[int]] = {}
        for rank, plan in enumerate(plans):
            if name in plan:
                ranks_of.setdefault(repr(plan[name]), []).append(rank)
        if len(ranks_of) > 1:
            each = [f"{value} on {_named(ranks)}" for value, ranks in ranks_of.items()]
            return f"the ranks have different plans: {name} is {' and '.join(each)}"
    return ""


def _named(ranks: Sequence[int]) -> str:
    named = ", ".join(map(str, ranks[:_NAMED_RANKS]))
    more = len(ranks) - _NAMED_RANKS
    rest = f" and {more} more" if more > 0 else ""
    return f"rank{'s' if len(ranks) > 1 else ''} {named}{rest}"
