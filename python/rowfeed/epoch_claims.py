# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a record of epochs holds: the place that is next, and who took which."""

from __future__ import annotations

import os
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core

Place = tuple[int, int, int, int]
"""epoch, row, next_epoch and epochs_done of a native Progress."""


class Claim:
    """A place that an iteration takes of a record, and where it stands meanwhile.

    Attributes:
        progress: The place.
        generation: Of the record, from the moment that the place is taken; until then
            None.
    """

    def __init__(self, progress: core.Progress, generation: int | None = None) -> None:
        """Takes nothing."""
        self.progress, self.generation = progress, generation


class Pass(NamedTuple):
    """What the workers of one pass of a DataLoader have in common.

    Attributes:
        seed: The DataLoader's base seed, drawn anew for each set of workers.
        number: Of the iteration in its worker: persistent workers make many.
    """

    seed: int
    number: int


# Passes that may overlap; each is forgotten after as many others.
_NUM_CLAIMS: Final = 8
CONTENT: Final = np.dtype(
    [
        ("next", "4i8"),  # The Place that the next claim takes.
        ("generation", "i8"),  # Counts the moves.
        ("order", "i8"),  # Digest of what a state has changed it to; 0: nothing yet.
        ("by_workers", "i8"),  # Whether workers made the last claim or restore.
        ("warned", "i8"),
        ("agreed", "i8"),  # Whether the ranks have compared their plans.
        ("oldest", "i8"),  # Index of the claim that is overwritten next.
        (
            # What passes take, or would; the founder is the worker that came first.
            "claims",
            [
                ("seed", "i8"),
                ("number", "i8"),
                ("founder", "i8"),
                ("place", "4i8"),
                ("taken", "i8"),
            ],
            (_NUM_CLAIMS,),
        ),
    ]
)


def claim_of(content: NDArray[Any], group: Pass) -> Any:
    """Returns the claim of a pass; a new one, if the worker is the first to ask."""
    claims = content["claims"]
    for claim in claims:
        if group == (claim["seed"], claim["number"]) and _lives(claim["founder"]):
            return claim
    oldest = int(content["oldest"])
    content["oldest"] = (oldest + 1) % _NUM_CLAIMS
    claims[oldest] = (*group, os.getpid(), content["next"], False)
    return claims[oldest]


def place_of(words: NDArray[np.int64]) -> Place:
    """Returns a place that lies in a record."""
    epoch, row, next_epoch, epochs_done = words.tolist()
    return epoch, row, next_epoch, epochs_done


def start_of(epoch: int) -> Place:
    """Returns where an epoch starts."""
    return epoch, 0, epoch + 1, 0


def _lives(process: int) -> bool:
    """Returns whether a worker is there; else a pass with its seed is another pass."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return process > 0
