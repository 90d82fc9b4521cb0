# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Where ranks wait: each rank tells the others, so that their messages can say it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from rowfeed._native import core
from rowfeed._ranks.plans import named

if TYPE_CHECKING:
    from rowfeed._options.parameters import Parameters

# What a store raises that is gone, or does not answer in time.
_STORE_ERRORS: Final = (RuntimeError, TimeoutError)


class Notes(Protocol):
    """The methods of a `Store` that places need."""

    def set(self, key: str, value: bytes | str, /) -> None:
        """Writes a value."""

    def get(self, key: str, /) -> bytes:
        """Returns the value of a key, which must be there."""

    def check(self, keys: list[str], /) -> bool:
        """Returns whether all keys are there."""


@dataclass(frozen=True)
class WaitingPlaces:
    """The places at which the ranks of a group wait for each other.

    A rank that waits in several threads or processes tells one of its places. A place
    is for messages only: where the store fails, the wait itself says so.

    Attributes:
        store: Store that all ranks reach.
        key: Prefix of the places' keys, the same for all datasets.
        rank: Rank of this process.
        world_size: Number of ranks.
        here: Function that returns the place of this rank as text.
    """

    store: Notes
    key: str
    rank: int
    world_size: int
    here: Callable[[], str]

    def tell(self) -> None:
        """Tells the other ranks where this one waits."""
        with contextlib.suppress(*_STORE_ERRORS):
            self.store.set(self._of(self.rank), self.here())

    def tell_again(self) -> None:
        """Tells it again if another wait of this rank has taken its own place back."""
        with contextlib.suppress(*_STORE_ERRORS):
            if not self._place(self.rank):
                self.store.set(self._of(self.rank), self.here())

    def take_back(self) -> None:
        """Tells the other ranks that this one waits no longer at this place.

        The place of another wait of this rank stays. So does the key, since a rank that
        gets a key which is gone would wait for it.
        """
        with contextlib.suppress(*_STORE_ERRORS):
            if self._place(self.rank) == self.here():
                self.store.set(self._of(self.rank), "")

    def said(self) -> str:
        """Returns a sentence of where this rank and each other one waits."""
        ranks_at: dict[str, list[int]] = {}
        for rank in range(self.world_size):
            if rank != self.rank:
                ranks_at.setdefault(self._place(rank), []).append(rank)
        others = [
            f"{named(ranks)} {'waits' if len(ranks) == 1 else 'wait'} "
            + (f"at {place}" if place else "in no dataset")
            for place, ranks in ranks_at.items()
        ]
        said = "; ".join([f"rank {self.rank} waits at {self.here()}", *others])
        return f"{said[0].upper()}{said[1:]}"

    def _place(self, rank: int) -> str:
        key = self._of(rank)
        return self.store.get(key).decode() if self.store.check([key]) else ""

    def _of(self, rank: int) -> str:
        return f"{self.key}/{rank}"


def place_of(parameters: Parameters, number: str, epoch: int) -> str:
    """Returns a place of a dataset as text for messages.

    Args:
        parameters: Parameters of the dataset.
        number: Number of the dataset, in the order in which its rank made them.
        epoch: Epoch at which the dataset stands.
    """
    if len(parameters.catalogs) > 1:
        data = f"a mixture of {len(parameters.catalogs)} datasets"
    else:
        files = parameters.catalog.files
        paths = [core.without_secrets(os.fsencode(file[0])) for file in files[:1]]
        data = ", ".join(repr(os.fsdecode(path)) for path in paths) or "no files"
        if len(files) > 1:
            more = len(files) - 1
            data += f" and {more} more file{'s' if more > 1 else ''}"
    return f"epoch {epoch} of dataset {number} ({data})"
