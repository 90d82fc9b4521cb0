# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One comparison of plans by all ranks of a group, which come to it one by one.

Each rank writes its plan to the store. Rank 0 compares the plans and writes the
verdict, which all read. A process that has written a plan may be gone, as the workers
of a DataLoader are when an iteration is left, and another one may come with another
plan. So rank 0 asks whether each rank is there, and compares only plans of those that
answer. The meetings of a dataset are numbered. The keys of a meeting are deleted from
the store when all ranks have read its verdict.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from rowfeed._ranks.plans import difference, late, named
from rowfeed._ranks.shared_count import counters
from rowfeed._ranks.store_wait import Store, Wait

# The only field of what stands for a plan if another rank met an error: the error.
_FAILURE: Final = "failure"
# Fields that are written beside a plan.
_KNOWN: Final = "known"  # Whether the rank knows the number of rows of each source.
_AWAITS: Final = "awaits"  # Whether the rank still waits for a listing of rank 0.
_VISIT: Final = "visit"  # The random name of the `Meeting` object that wrote the plan.


@dataclass
class Meeting:
    """One rank's part in one meeting, at which all ranks compare their plans.

    Attributes:
        key: Prefix of its keys in the store, the same on all ranks.
        rank: Rank of this process.
        world_size: Number of ranks that compare.
        store: Store through which the ranks meet.
    """

    key: str
    rank: int
    world_size: int
    store: Store
    _visit: str = field(default_factory=lambda: uuid.uuid4().hex[:16], init=False)
    _answered: str = field(default="", init=False)
    _has_read: bool = field(default=False, init=False)

    def compare(
        self,
        plan: Mapping[str, Any],
        known: Sequence[bool],
        wait: Wait,
        on_verdict: Callable[[], None],
    ) -> list[int]:
        """Writes this rank's plan, and waits for the verdict.

        Args:
            plan: Plan of this rank, as `plan_of` returned it.
            known: Whether this rank knows how many rows of each source pass the filter.
            wait: Wait for the other ranks, with its time limit.
            on_verdict: Function to call when there is a verdict, whatever it says. It
                gives the next meeting another number.

        Returns:
            For each source, who counts its rows: a rank, or `ALL` or `NOBODY` of
            `rowfeed._ranks.shared_count`.

        Raises:
            RuntimeError: Another rank met an error of its own.
            ValueError: The plans differ.
            TimeoutError: A rank did not come in time.
        """
        self._forgive()
        # The plans of the other ranks went through JSON too, which makes lists of
        # tuples.
        plan = json.loads(json.dumps(plan))
        self._post({**plan, _KNOWN: list(known)})
        if self.rank == 0 and not self.store.check([self._verdict]):
            self.store.set(self._verdict, json.dumps(self._gathered(plan, known, wait)))
        wait.until(self._has_verdict, self.absent)
        return self.read(plan, on_verdict)

    def read(
        self, plan: Mapping[str, Any], on_verdict: Callable[[], None]
    ) -> list[int]:
        """Reads the verdict, which must be there; see `compare` for what it returns.

        Raises:
            RuntimeError: Another rank met an error of its own.
            ValueError: The plans differ.
        """
        verdict: dict[str, Any] = json.loads(self.store.get(self._verdict))
        on_verdict()
        self._has_read = True
        if verdict["error"]:
            raise RuntimeError(verdict["error"])
        said = verdict["difference"] or late(verdict["plan"], plan, self.rank)
        if said:
            raise ValueError(said)
        found: list[int] = verdict["counters"]
        return found

    def leave(self, wait: Wait) -> None:
        """Ends the meeting if this rank has read its verdict, also one with an error.

        Rank 0 then waits until all ranks have read the verdict, since the store may end
        with its process, and deletes the keys of the meeting.
        """
        if not self._has_read:
            return
        self.store.set(self._read_by(self.rank), "")
        if self.rank == 0:
            self._clear(wait)

    def expect(self, plan: Mapping[str, Any]) -> None:
        """Writes the plan of this rank while it still waits for rank 0's listing.

        If rank 0 compares and its plan differs from this one, it writes the difference
        as the verdict without waiting until this rank comes to compare.
        """
        self._post({**plan, _AWAITS: True})

    def fail(self, error: str) -> None:
        """Writes an error for the other ranks; `compare` of this rank takes it back."""
        self.store.set(self._failed, json.dumps({"rank": self.rank, "error": error}))

    def has_verdict(self) -> bool:
        """Returns whether the ranks have compared.

        Raises:
            RuntimeError: Another rank met an error.
        """
        return self._has_verdict() or False

    def absent(self) -> str:
        """Returns the names of the ranks that have not come, for messages."""
        check, ranks = self.store.check, range(self.world_size)
        key_of = self._answer_of if self.rank == 0 else self._plan_of
        absent = [r for r in ranks if r != self.rank and not check([key_of(r)])]
        return named(absent) if absent else "the other ranks"

    def _gathered(
        self, plan: Mapping[str, Any], known: Sequence[bool], wait: Wait
    ) -> dict[str, Any]:
        plans: list[dict[str, Any]] = [{**plan, _KNOWN: list(known)}]
        verdict: dict[str, Any] = {"error": "", "difference": "", "counters": []}
        verdict["plan"] = plan
        self.store.set(self._asked, self._visit)
        for rank in range(1, self.world_size):
            found = wait.until(partial(self._come, rank, plan), self.absent)
            if _FAILURE in found:
                return {**verdict, "error": found[_FAILURE]}
            plans.append(found)
        who_knows = [each.pop(_KNOWN, []) for each in plans]
        verdict["difference"] = difference(plans)
        if not verdict["difference"]:
            verdict["counters"] = counters(who_knows)
        return verdict

    def _come(self, rank: int, plan: Mapping[str, Any]) -> dict[str, Any] | None:
        """Returns the plan of a rank if the rank answered and can be compared.

        A plan of a rank that still waits for something else is returned only if it
        differs from this one. If another rank met an error, a dict with its error
        is returned. Returns None in all other cases.
        """
        if self.store.check([self._plan_of(rank), self._answer_of(rank)]):
            found: dict[str, Any] = json.loads(self.store.get(self._plan_of(rank)))
            answer = f"{self._visit} {found.pop(_VISIT)}"
            is_here = self.store.get(self._answer_of(rank)).decode() == answer
            awaits = found.pop(_AWAITS, False)
            if is_here and (not awaits or late(found, plan, 0)):
                return found
        said = self._failure_elsewhere()
        return None if said is None else {_FAILURE: said}

    def _has_verdict(self) -> bool | None:
        if self.store.check([self._verdict]):
            return True
        self._answer()
        said = self._failure_elsewhere()
        if said is not None:
            raise RuntimeError(said)
        return None

    def _answer(self) -> None:
        """Answers rank 0, if it asks, that this rank is here with the plan it wrote."""
        if self.rank == 0 or not self.store.check([self._asked]):
            return
        asked = self.store.get(self._asked).decode()
        if asked != self._answered:
            self.store.set(self._answer_of(self.rank), f"{asked} {self._visit}")
            self._answered = asked

    def _failure_elsewhere(self) -> str | None:
        """Returns the error that another rank met, with its rank, or None."""
        failure = self._failure()
        if failure is None or failure["rank"] == self.rank:
            return None
        return f"rank {failure['rank']}: {failure['error']}"

    def _failure(self) -> dict[str, Any] | None:
        if not self.store.check([self._failed]):
            return None
        found: dict[str, Any] = json.loads(self.store.get(self._failed))
        return found or None

    def _forgive(self) -> None:
        """Takes back an error that this rank wrote, since the rank goes on."""
        failure = self._failure()
        if failure is not None and failure["rank"] == self.rank:
            self.store.set(self._failed, json.dumps({}))

    def _post(self, plan: Mapping[str, Any]) -> None:
        said = json.dumps({**plan, _VISIT: self._visit})
        self.store.set(self._plan_of(self.rank), said)

    def _clear(self, wait: Wait) -> None:
        ranks = range(self.world_size)
        read = [self._read_by(rank) for rank in ranks]
        if wait.until_all(read):
            written = (*map(self._plan_of, ranks), *map(self._answer_of, ranks))
            for key in (*read, *written, self._asked, self._verdict, self._failed):
                self.store.delete_key(key)

    @property
    def _verdict(self) -> str:
        return f"{self.key}/verdict"

    @property
    def _asked(self) -> str:
        return f"{self.key}/asked"

    @property
    def _failed(self) -> str:
        return f"{self.key}/failed"

    def _plan_of(self, rank: int) -> str:
        return f"{self.key}/{rank}"

    def _answer_of(self, rank: int) -> str:
        return f"{self.key}/answer of {rank}"

    def _read_by(self, rank: int) -> str:
        return f"{self.key}/read by {rank}"
