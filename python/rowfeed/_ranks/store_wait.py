# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Waiting for values that other ranks write to a store that all of them reach."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from rowfeed._process.caller_warnings import PerformanceWarning, warn_caller
from rowfeed._process.log import LOGGER
from rowfeed._ranks.waiting_places import WaitingPlaces

_TELL_S: Final = 1  # After this time a rank tells the others where it waits.
_PATIENCE_S: Final = 60  # After this time a rank warns for whom it waits.
_LOG_S: Final = 5  # The time between two lines of the log.
_FAREWELL_S: Final = 10  # The longest time that rank 0 waits for others to read.
_SHORTEST_PAUSE_S: Final = 0.001
_LONGEST_PAUSE_S: Final = 0.2
_Found = TypeVar("_Found")


class Store(Protocol):
    """A key-value store that all ranks reach, such as PyTorch's TCPStore."""

    def set(self, key: str, value: bytes | str, /) -> None:
        """Writes a value."""

    def get(self, key: str, /) -> bytes:
        """Returns the value of a key, which must be there."""

    def check(self, keys: list[str], /) -> bool:
        """Returns whether all keys are there."""

    def delete_key(self, key: str, /) -> bool:
        """Deletes a key, if it is there."""


@dataclass
class Wait:
    """Waits for keys of a store; signals, such as Ctrl-C, are answered meanwhile.

    Attributes:
        store: Store to which other ranks write.
        rank: Rank of this process.
        timeout_s: Time limit in seconds, from the making of this object on, for all its
            waits together.
        is_abandoned: Function that tells whether to give up waiting.
        what: Text for messages that says what the other ranks have to do.
        advice: Sentences for the end of messages.
        places: Where the ranks wait, for messages. None if messages do not say it.
    """

    store: Store
    rank: int
    timeout_s: float
    is_abandoned: Callable[[], bool]
    what: str
    advice: str = ""
    places: WaitingPlaces | None = None

    def __post_init__(self) -> None:
        """Starts the time limit."""
        self._begin = time.monotonic()
        self._warned = False

    def get(self, key: str, whom: str | Callable[[], str]) -> bytes:
        """Returns the value of a key that another rank writes.

        Args:
            key: Name of the value in the store.
            whom: Names of the ranks that are waited for, for messages, or a function
                that returns them when a message is due.

        Raises:
            TimeoutError: The key was not written in time.
            ValueError: The wait was abandoned.
        """
        self.until(lambda: self.store.check([key]) or None, whom)
        return self.store.get(key)

    def until(
        self, look: Callable[[], _Found | None], whom: str | Callable[[], str]
    ) -> _Found:
        """Returns what `look` finds, once it is not None.

        Args:
            look: Function that looks at the store, and returns None to be called again.
            whom: Names of the ranks that are waited for; see `get`.

        Raises:
            TimeoutError: `look` found nothing in time.
            ValueError: The wait was abandoned.
        """
        begin = time.monotonic()
        told = None  # The places, once this rank has told its own.
        tell_s = log_s = _TELL_S
        try:
            while (found := look()) is None:
                if self.is_abandoned():
                    raise ValueError("the iteration is closed")
                waited_s = time.monotonic() - begin
                if self.places is not None and waited_s > tell_s:
                    tell_s += _TELL_S
                    if told is None:
                        self.places.tell()
                    else:
                        told.tell_again()
                    told = self.places
                if waited_s > log_s:
                    log_s += _LOG_S
                    self._log(whom, waited_s)
                self._complain(whom)
                # A pause is a tenth of the time waited so far: long waits cost few
                # looks, and no wait ends much later than it could.
                pause_s = waited_s / 10
                time.sleep(min(max(pause_s, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S))
        except TimeoutError:
            told = None  # The others say where this rank was, when their time is over.
            raise
        finally:
            if told is not None:
                told.take_back()
        if log_s > _TELL_S:
            waited_s = time.monotonic() - begin
            LOGGER.info("rank %d goes on after %.3g s", self.rank, waited_s)
        return found

    def until_all(self, keys: list[str]) -> bool:
        """Waits at most 10 s until all keys are there; returns whether they are."""
        end = time.monotonic() + _FAREWELL_S
        pause_s = _SHORTEST_PAUSE_S
        while not self.store.check(keys):
            if time.monotonic() >= end:
                return False
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, 0.01)
        return True

    def _log(self, whom: str | Callable[[], str], waited_s: float) -> None:
        if LOGGER.isEnabledFor(logging.INFO):
            them = whom if isinstance(whom, str) else whom()
            LOGGER.info(
                "rank %d waits for %s to %s, for %.0f s so far",
                *(self.rank, them, self.what, waited_s),
            )

    def _complain(self, whom: str | Callable[[], str]) -> None:
        waited_s = time.monotonic() - self._begin
        is_over = waited_s > self.timeout_s
        if not is_over and (waited_s <= _PATIENCE_S or self._warned):
            return
        them = whom if isinstance(whom, str) else whom()
        sentences = [f"for {them} to {self.what}"]
        if self.places is not None:
            sentences.append(self.places.said())
        said = ". ".join([*sentences, self.advice] if self.advice else sentences)
        if is_over:
            raise TimeoutError(f"rank {self.rank} waited {self.timeout_s:.0f} s {said}")
        self._warned = True
        warn_caller(
            PerformanceWarning(f"rank {self.rank} has waited {waited_s:.0f} s {said}")
        )
