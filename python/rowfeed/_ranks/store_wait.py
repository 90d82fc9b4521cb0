# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Waiting for what other ranks write to a store that all of them reach."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

_PATIENCE_S: Final = 60  # Then a rank says for whom it waits.
_FAREWELL_S: Final = 10  # How long rank 0 stays for others to read what it wrote.
_SHORTEST_PAUSE_S: Final = 0.001
_LONGEST_PAUSE_S: Final = 0.2
_Found = TypeVar("_Found")


class Store(Protocol):
    """What ranks write once for others to read."""

    def set(self, key: str, value: bytes | str, /) -> None:
        """Writes a value."""

    def get(self, key: str, /) -> bytes:
        """Returns the value of a key that is there."""

    def check(self, keys: list[str], /) -> bool:
        """Whether all keys are there."""

    def delete_key(self, key: str, /) -> bool:
        """Forgets a key, if it is there."""


@dataclass
class Wait:
    """Waits for keys of a store; between looks it answers signals.

    Attributes:
        store: Where others write.
        rank: Of this process.
        timeout_s: Seconds to wait, from now on, for all keys together.
        is_abandoned: Whether to give up waiting.
        what: Text for messages: what the others are to do, and what to do if they
            do not.
    """

    store: Store
    rank: int
    timeout_s: float
    is_abandoned: Callable[[], bool]
    what: str

    def __post_init__(self) -> None:
        """Begins to count the seconds."""
        self._begin = time.monotonic()
        self._warned = False

    def get(self, key: str, whom: str | Callable[[], str]) -> bytes:
        """Returns the value of a key that another rank writes.

        Args:
            key: Name of the value in the store.
            whom: Ranks that are waited for, for messages, or a function that finds
                them out when a message is due.

        Raises:
            TimeoutError: It did not in time.
            ValueError: The wait was abandoned.
        """
        self.until(lambda: self.store.check([key]) or None, whom)
        return self.store.get(key)

    def until(
        self, look: Callable[[], _Found | None], whom: str | Callable[[], str]
    ) -> _Found:
        """Returns what `look` finds, once it is not None.

        Args:
            look: Function that looks at the store.
            whom: See `get`.

        Raises:
            TimeoutError: It found nothing in time.
            ValueError: The wait was abandoned.
        """
        begin = time.monotonic()
        while (found := look()) is None:
            if self.is_abandoned():
                raise ValueError("the iteration is closed")
            self._complain(whom)
            # A tenth of what was waited, so that a wait is hardly longer than it must.
            pause_s = (time.monotonic() - begin) / 10
            time.sleep(min(max(pause_s, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S))
        return found

    def until_all(self, keys: list[str]) -> bool:
        """Waits until all keys are there, but not for ever: whether they are."""
        end = time.monotonic() + _FAREWELL_S
        pause_s = _SHORTEST_PAUSE_S
        while not self.store.check(keys):
            if time.monotonic() >= end:
                return False
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, 0.01)
        return True

    def _complain(self, whom: str | Callable[[], str]) -> None:
        waited_s = time.monotonic() - self._begin
        is_over = waited_s > self.timeout_s
        if not is_over and (waited_s <= _PATIENCE_S or self._warned):
            return
        them = whom if isinstance(whom, str) else whom()
        if is_over:
            raise TimeoutError(
                f"rank {self.rank} waited {self.timeout_s:.0f} s for {them} to "
                f"{self.what}"
            )
        self._warned = True
        warnings.warn(
            f"rank {self.rank} has waited {waited_s:.0f} s for {them} to {self.what}",
            stacklevel=2,
        )
