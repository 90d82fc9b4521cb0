# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a record of epochs holds: the place that is next, and who took which."""

from __future__ import annotations

import os
from collections.abc import Iterator
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


class Worker(NamedTuple):
    """A worker in one pass of a DataLoader, whose workers differ in `id` alone.

    Attributes:
        seed: The DataLoader's base seed, drawn anew for each set of workers.
        number: Of the iteration in its worker: persistent workers make many.
        num_workers: Of the DataLoader.
        id: Of the worker, from 0 on.
    """

    seed: int
    number: int
    num_workers: int
    id: int


# Passes that may overlap; each is forgotten after as many others.
_NUM_CLAIMS: Final = 8
_MAX_WORKERS: Final = 1024
CONTENT: Final = np.dtype(
    [
        ("next", "4i8"),  # The Place that the next claim takes.
        ("generation", "i8"),  # Counts the moves.
        ("order", "i8"),  # Digest of what a state has changed it to; 0: nothing yet.
        ("by_workers", "i8"),  # Whether workers made the last claim or restore.
        ("warned", "i8"),
        ("agreed", "i8"),  # Whether all ranks have made datasets with one plan.
        ("meetings", "i8"),  # How often the ranks have compared where they stand.
        ("unmet", "i8"),  # Iterations that have begun since the last time.
        ("oldest", "i8"),  # Index of the claim that is overwritten next.
        (
            # What passes take, or would, and the process of each worker that asked.
            "claims",
            [
                ("seed", "i8"),
                ("number", "i8"),
                ("num_workers", "i8"),
                ("place", "4i8"),
                ("taken", "i8"),
                ("ended", "i8"),  # Whether a worker has delivered all that it has.
                ("workers", "i4", (_MAX_WORKERS,)),
            ],
            (_NUM_CLAIMS,),
        ),
    ]
)


def claim_of(content: NDArray[Any], worker: Worker) -> Any:
    """Returns the claim of a worker's pass; a new one, if it is the first to ask.

    Users who seed torch before each epoch give all passes one seed. What tells them
    apart is that a worker is another process in each; those of two passes that begin
    at once, with one seed, may be taken for each other.

    Raises:
        ValueError: There are more workers than a claim has room for.
    """
    if worker.id >= _MAX_WORKERS:
        raise ValueError(
            f"worker {worker.id}: epochs are kept for {_MAX_WORKERS} workers at most"
        )
    found = joined_claim(content, worker)
    if found is not None:
        return found
    for claim in _claims_like(content, worker):
        if not claim["workers"][worker.id] and _goes_on(claim):
            claim["workers"][worker.id] = os.getpid()
            return claim
    claims, oldest = content["claims"], int(content["oldest"])
    content["oldest"] = (oldest + 1) % _NUM_CLAIMS
    claims[oldest] = (*worker[:3], content["next"], False, False, 0)
    claims[oldest]["workers"][worker.id] = os.getpid()
    return claims[oldest]


def joined_claim(content: NDArray[Any], worker: Worker) -> Any:
    """Returns the claim that this worker has asked for before; None: it has not."""
    for claim in _claims_like(content, worker):
        if claim["workers"][worker.id] == os.getpid():
            return claim
    return None


def _claims_like(content: NDArray[Any], worker: Worker) -> Iterator[Any]:
    for claim in content["claims"]:
        if worker[:3] == (claim["seed"], claim["number"], claim["num_workers"]):
            yield claim


def place_of(words: NDArray[np.int64]) -> Place:
    """Returns a place that lies in a record."""
    epoch, row, next_epoch, epochs_done = words.tolist()
    return epoch, row, next_epoch, epochs_done


def start_of(epoch: int) -> Place:
    """Returns where an epoch starts."""
    return epoch, 0, epoch + 1, 0


def _goes_on(claim: Any) -> bool:
    """Returns whether more workers may join a pass: it was not given up.

    A worker that has delivered all may be gone before another begins.
    """
    if claim["ended"]:
        return True
    workers = claim["workers"]
    return any(_lives(process) for process in workers[workers > 0].tolist())


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, PermissionError):  # Another user's is no worker.
        return False
    return True
