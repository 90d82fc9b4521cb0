# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The count of rows that a filter lets pass, made by all ranks of a group together.

Each rank counts the row groups of its share and writes the result to the store. Rank 0
puts the shares together, and all ranks read the whole. If a rank knows the whole
already, it writes it for the others instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rowfeed._native import core
from rowfeed._ranks.store_wait import Store, Wait

# Who counts, in the place of the number of a rank.
ALL: Final = -1
NOBODY: Final = -2

# The first byte of a value in the store: it is a result, or why there is none.
_DONE, _FAILED = b"+", b"-"


def counters(known: Sequence[Sequence[bool]]) -> list[int]:
    """Returns for each source who counts its rows, or tells their known number.

    Args:
        known: Flags for each rank, and in it for each source: whether the rank knows
            how many rows pass the filter.

    Returns:
        For each source: `NOBODY` if all ranks know the number, else the first rank that
        knows it, else `ALL`.
    """
    found = []
    for ranks in zip(*known, strict=True):
        some = ranks.index(True) if any(ranks) else ALL
        found.append(NOBODY if all(ranks) else some)
    return found


@dataclass(frozen=True)
class SharedCount:
    """One count that all ranks make at the same time.

    Attributes:
        key: Prefix of the count's keys in the store.
        rank: Rank of this process.
        world_size: Number of ranks that count.
        timeout_s: Time in seconds that a rank which has counted its own share waits for
            the others.
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
        """Counts the rows of one source, so that `rows` knows its number on return.

        Args:
            rows: Rows of the source.
            who: Rank that knows the number, or `ALL` or `NOBODY`, as `counters`
                returned it.
            store: Store that all ranks reach.
            is_abandoned: Function that tells whether to give up waiting.

        Raises:
            RuntimeError: Another rank could not count its share.
            TimeoutError: Another rank did not count its share in time.
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
        # The rank `max(who, 0)` writes the whole count; the others read it.
        if self.rank != max(who, 0):
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
        """Writes the value that `made` returns or, if it raises, its error."""
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
    """Raised when another rank could not count; its message says why."""
