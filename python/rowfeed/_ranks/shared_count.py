# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a filter leaves, counted by all ranks of a group together.

Each counts the row groups of its share and writes the result to the store; rank 0 puts
the shares together, and all read the whole. If a rank knows it already, it tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rowfeed._native import core
from rowfeed._ranks.store_wait import Store, Wait

ALL: Final = -1
NOBODY: Final = -2

_DONE, _FAILED = b"+", b"-"  # How the values of the store begin.


def counters(known: Sequence[Sequence[bool]]) -> list[int]:
    """Returns who is to count each source, or to tell what it knows.

    Args:
        known: Of each rank and source, whether the rank knows how many rows pass.

    Returns:
        Of each source NOBODY, if all know; a rank that knows; or ALL.
    """
    found = []
    for ranks in zip(*known, strict=True):
        some = ranks.index(True) if any(ranks) else ALL
        found.append(NOBODY if all(ranks) else some)
    return found


@dataclass(frozen=True)
class SharedCount:
    """One count by all ranks, which have come to it together.

    Attributes:
        key: Of the count in the store.
        rank: Of this process.
        world_size: Ranks that count.
        timeout_s: Seconds to wait for others when one has done its own.
    """

    key: str
    rank: int
    world_size: int
    timeout_s: float

    def run(
        self,
        rows: core.DatasetRows,
        who: int,
        store: Store,
        is_abandoned: Callable[[], bool],
    ) -> None:
        """Makes the rows known.

        Raises:
            RuntimeError: Another rank could not count its share.
            TimeoutError: Another rank did not count it in time.
        """
        try:
            self._run(rows, who, store, is_abandoned)
        except _OtherRankFailed as error:
            raise RuntimeError(str(error)) from None

    def _run(
        self,
        rows: core.DatasetRows,
        who: int,
        store: Store,
        is_abandoned: Callable[[], bool],
    ) -> None:
        if who == NOBODY:
            return
        if self.rank != max(who, 0):  # Who tells all.
            if who == ALL:
                self._write(store, str(self.rank), lambda: self._share(rows))
            if not rows.is_known:
                rows.load(self._read(store, "all", "the other ranks", is_abandoned))
        elif who == ALL:
            self._write(store, "all", lambda: self._join(rows, store, is_abandoned))
        else:
            self._write(store, "all", rows.save)

    def _share(self, rows: core.DatasetRows) -> bytes:
        return rows.count_share(self.rank, self.world_size)

    def _join(
        self, rows: core.DatasetRows, store: Store, is_abandoned: Callable[[], bool]
    ) -> bytes:
        mine = self._share(rows)
        theirs = [
            self._read(store, str(rank), f"rank {rank}", is_abandoned)
            for rank in range(1, self.world_size)
        ]
        rows.join([mine, *theirs])
        return rows.save()

    def _write(self, store: Store, name: str, made: Callable[[], bytes]) -> None:
        """Writes what is made, or why it cannot be."""
        try:
            value = _DONE + made()
        except BaseException as error:
            reason = str(error)
            if not isinstance(error, _OtherRankFailed):
                reason = (
                    f"rank {self.rank} could not count the rows that the filter lets "
                    f"pass: {type(error).__name__}: {error}"
                )
            store.set(f"{self.key}/{name}", _FAILED + reason.encode())
            raise
        store.set(f"{self.key}/{name}", value)

    def _read(
        self, store: Store, name: str, whom: str, is_abandoned: Callable[[], bool]
    ) -> bytes:
        what = "count its share of the rows that the filter lets pass"
        wait = Wait(store, self.rank, self.timeout_s, is_abandoned, what)
        value = wait.get(f"{self.key}/{name}", whom)
        if value.startswith(_FAILED):
            raise _OtherRankFailed(value.removeprefix(_FAILED).decode())
        return value.removeprefix(_DONE)


class _OtherRankFailed(RuntimeError):
    """Another rank could not count; it says why."""
