# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The content of an epoch record: the next place, and which workers took which."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core

Place = tuple[int, int, int, int]
"""The fields epoch, row, next_epoch and epochs_done of a native Progress."""


class Claim:
    """A place that an iteration takes from a record.

    Attributes:
        progress: Place that is taken.
        generation: Generation of the record when the place was taken. None before the
            place is taken.
    """

    def __init__(self, progress: core.Progress, generation: int | None = None) -> None:
        """Makes a claim; `EpochRecord.claim` takes its place."""
        self.progress, self.generation = progress, generation


class Worker(NamedTuple):
    """A worker in one pass of a DataLoader; workers of one pass differ in `id` alone.

    Attributes:
        seed: Base seed of the DataLoader, drawn anew for each set of workers.
        number: Number of the iteration in its worker; persistent workers make many.
        num_workers: Number of workers of the DataLoader.
        id: Index of the worker, from 0 on.
    """

    seed: int
    number: int
    num_workers: int
    id: int


# The number of latest passes that a record remembers: so many may overlap.
_NUM_CLAIMS: Final = 8
_MAX_WORKERS: Final = 1024
CONTENT: Final = np.dtype(
    [
        ("next", "4i8"),  # The `Place` that the next claim takes.
        ("generation", "i8"),  # How often `next` was moved to another place.
        # The digest of the order that a loaded state gave the dataset; 0 for none.
        ("order", "i8"),
        ("by_workers", "i8"),  # Whether workers made the last claim or restore.
        ("warned", "i8"),  # Whether users were warned that workers are slow.
        ("agreed", "i8"),  # Whether all ranks have made datasets with one plan.
        ("meetings", "i8"),  # How often the ranks have compared their places.
        ("unmet", "i8"),  # How many iterations have begun since the last meeting.
        ("oldest", "i8"),  # The index of the claim that is overwritten next.
        (
            # The place that each pass takes, and whether it was taken, with the process
            # id of each worker that asked for it.
            "claims",
            [
                ("seed", "i8"),
                ("number", "i8"),
                ("num_workers", "i8"),
                ("place", "4i8"),
                ("taken", "i8"),
                ("ended", "i8"),  # Whether a worker has delivered all its batches.
                ("workers", "i4", (_MAX_WORKERS,)),
            ],
            (_NUM_CLAIMS,),
        ),
    ]
)


def claim_of(content: NDArray[Any], worker: Worker) -> Any:
    """Returns the claim of a worker's pass, a new one if no worker of it asked before.

    Passes are told apart by the DataLoader's seed. Users who seed PyTorch before each
    epoch give all passes one seed; then passes are told apart by the process ids of
    their workers. Two passes of one seed that begin at the same time may be confused.

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
    """Returns the claim that this worker asked for before, or None."""
    for claim in _claims_like(content, worker):
        if claim["workers"][worker.id] == os.getpid():
            return claim
    return None


def _claims_like(content: NDArray[Any], worker: Worker) -> Iterator[Any]:
    for claim in content["claims"]:
        if worker[:3] == (claim["seed"], claim["number"], claim["num_workers"]):
            yield claim


def place_of(words: NDArray[np.int64]) -> Place:
    """Converts a place in a record's memory to a tuple."""
    epoch, row, next_epoch, epochs_done = words.tolist()
    return epoch, row, next_epoch, epochs_done


def start_of(epoch: int) -> Place:
    """Returns the place at which an epoch starts."""
    return epoch, 0, epoch + 1, 0


def _goes_on(claim: Any) -> bool:
    """Returns whether more workers may join a pass, since it was not given up.

    A pass was given up if none of its workers lives. That does not hold once a worker
    has delivered all its batches: it may be gone before another worker begins.
    """
    if claim["ended"]:
        return True
    workers = claim["workers"]
    return any(_lives(process) for process in workers[workers > 0].tolist())


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    # With PermissionError the process is another user's, so it is not a worker.
    except (ProcessLookupError, PermissionError):
        return False
    return True
