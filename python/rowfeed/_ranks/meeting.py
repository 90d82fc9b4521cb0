# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One comparison of plans by all ranks of a group, which come to it one by one.

Each rank writes its plan to the store; rank 0 compares, and writes the verdict, which
all read. A rank may be gone that has written a plan, as the workers of a DataLoader are
when an iteration is left, and come again with another one. So rank 0 asks, and compares
what is there of those that answer. Meetings of a dataset are numbered. What one leaves
in the store is deleted when all ranks have read its verdict.
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

_KNOWN: Final = "known"  # Beside a plan: whether each source is counted.
_AWAITS: Final = "awaits"  # Beside a plan: its rank waits for something else as yet.
_VISIT: Final = "visit"  # Beside a plan: who wrote it.


@dataclass
class Meeting:
    """The meeting of a given number, as one rank sees it.

    Attributes:
        key: Prefix of its keys in the store, the same on all ranks.
        rank: Rank of this process.
        world_size: Number of ranks that compare.
        store: Where the ranks meet.
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
            plan: What `plan_of` returned.
            known: Whether this rank knows how many rows of each source pass.
            wait: How to wait for the others.
            on_verdict: Called when the verdict is there: the next meeting has another
                number, whatever this one says.

        Returns:
            Who counts the rows of each source.

        Raises:
            RuntimeError: Another rank met an error of its own.
            ValueError: The plans differ.
            TimeoutError: A rank did not come in time.
        """
        self._forgive()
        plan = json.loads(
            json.dumps(plan)
        )  # As the others' are, with lists for tuples.
        self._post({**plan, _KNOWN: list(known)})
        if self.rank == 0 and not self.store.check([self._verdict]):
            self.store.set(self._verdict, json.dumps(self._gathered(plan, known, wait)))
        wait.until(self._has_verdict, self.absent)
        return self.read(plan, on_verdict)

    def read(
        self, plan: Mapping[str, Any], on_verdict: Callable[[], None]
    ) -> list[int]:
        """Reads a verdict that is there.

        Returns, raises: as `compare`.
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
        """Ends the meeting, if there was one, also after an error.

        Rank 0 stays until all have read, as the store may end with it, and deletes
        what nobody needs any more.
        """
        if not self._has_read:
            return
        self.store.set(self._read_by(self.rank), "")
        if self.rank == 0:
            self._clear(wait)

    def expect(self, plan: Mapping[str, Any]) -> None:
        """Writes what this rank is going to compare, while it waits for another thing.

        If rank 0 has another place it says so to all, and waits for nobody.
        """
        self._post({**plan, _AWAITS: True})

    def fail(self, error: str) -> None:
        """Tells the other ranks of an error, until this rank comes to the meeting."""
        self.store.set(self._failed, json.dumps({"rank": self.rank, "error": error}))

    def has_verdict(self) -> bool:
        """Whether the ranks have compared.

        Raises:
            RuntimeError: Another rank met an error.
        """
        return self._has_verdict() or False

    def absent(self) -> str:
        """Names the ranks that have not come, for messages."""
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
            try:
                plans.append(wait.until(partial(self._come, rank, plan), self.absent))
            except _Failed as error:
                return {**verdict, "error": str(error)}
        who_knows = [each.pop(_KNOWN, []) for each in plans]
        verdict["difference"] = difference(plans)
        if not verdict["difference"]:
            verdict["counters"] = counters(who_knows)
        return verdict

    def _come(self, rank: int, plan: Mapping[str, Any]) -> dict[str, Any] | None:
        """Returns the plan of a rank that is here; None: it is not."""
        if self.store.check([self._plan_of(rank), self._answer_of(rank)]):
            found: dict[str, Any] = json.loads(self.store.get(self._plan_of(rank)))
            answer = f"{self._visit} {found.pop(_VISIT)}"
            is_here = self.store.get(self._answer_of(rank)).decode() == answer
            awaits = found.pop(_AWAITS, False)
            if is_here and (not awaits or late(found, plan, 0)):
                return found
        self._look_for_failure()
        return None

    def _has_verdict(self) -> bool | None:
        if self.store.check([self._verdict]):
            return True
        self._answer()
        self._look_for_failure()
        return None

    def _answer(self) -> None:
        """Tells rank 0, if it asks, that this rank is here with the plan it wrote."""
        if self.rank == 0 or not self.store.check([self._asked]):
            return
        asked = self.store.get(self._asked).decode()
        if asked != self._answered:
            self.store.set(self._answer_of(self.rank), f"{asked} {self._visit}")
            self._answered = asked

    def _look_for_failure(self) -> None:
        failure = self._failure()
        if failure is not None and failure["rank"] != self.rank:
            raise _Failed(f"rank {failure['rank']}: {failure['error']}")

    def _failure(self) -> dict[str, Any] | None:
        if not self.store.check([self._failed]):
            return None
        found: dict[str, Any] = json.loads(self.store.get(self._failed))
        return found or None

    def _forgive(self) -> None:
        """Takes back an error of this rank, which goes on."""
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


class _Failed(RuntimeError):
    """Another rank met an error."""
