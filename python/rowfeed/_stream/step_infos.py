# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes what a `transform` is told of a step, from the places around its batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._options.transform import StepInfo

# The first word of a key says what it is for: the order of rows has 1, 2 and 3.
_TRANSFORM: Final = 4
_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)


def step_info_of(
    parameters: Parameters, before: core.Progress, after: core.Progress
) -> StepInfo:
    """Returns the information about the batch of one rank that ends at a place.

    Args:
        parameters: Parameters of the dataset.
        before: Place before the batch, or before earlier batches of the same stream.
        after: Place after the batch.
    """
    begin = _begin(parameters, before, after)
    rows = _rows(parameters, after.epoch, begin)
    seeds = seeds_of(parameters.stream.order.seed, after.epoch, rows)
    seeds.flags.writeable = False
    return StepInfo(after.epoch, step_of(parameters, before, after), seeds)


def step_of(parameters: Parameters, before: core.Progress, after: core.Progress) -> int:
    """Returns the index of the step that ends at a place; see `step_info_of`."""
    begin = _begin(parameters, before, after)
    return begin // parameters.stream.delivery.global_batch


def _begin(parameters: Parameters, before: core.Progress, after: core.Progress) -> int:
    """Returns the row of the epoch at which the last step before `after` begins."""
    delivery = parameters.stream.delivery
    num_rows = parameters.epochs.rows_in(after.epoch)
    if after.row < num_rows:
        return after.row - delivery.global_batch
    # Here the last step may be short, or rows after it may be left out.
    is_of_epoch = before.epoch == after.epoch and before.row < after.row
    start = before.row if is_of_epoch else 0
    steps = core.batches_per_epoch(num_rows, start, delivery)
    return start + (steps - 1) * delivery.global_batch


def _rows(parameters: Parameters, epoch: int, begin: int) -> NDArray[np.int64]:
    """Returns the number in the epoch of each row of this rank's batch.

    Args:
        parameters: Parameters of the dataset.
        epoch: Number of the epoch.
        begin: Row at which the step begins on all ranks together.
    """
    delivery = parameters.stream.delivery
    first = begin + (delivery.rank - begin) % delivery.world_size
    rows = first + delivery.world_size * np.arange(delivery.batch_size)
    if delivery.remainder == "wrap":
        return rows % parameters.epochs.rows_in(epoch)
    if delivery.remainder == "uneven":
        return rows[rows < parameters.epochs.rows_in(epoch)]
    return rows


def seeds_of(seed: int, epoch: int, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Returns a hash of a seed, an epoch and each of some rows, as uint64 [rows].

    It is the first number of a SplitMix64 whose state is hashed from these words, as
    for the order of rows (Steele, Lea, Flood: "Fast splittable pseudorandom number
    generators", 2014).

    Args:
        seed: Seed of the dataset, in [0, 2**64).
        epoch: Number of the epoch.
        rows: Numbers of rows in the order of the epoch, int64 [rows].
    """
    state = np.zeros(1, np.uint64)
    for word in _words(seed, epoch, rows):
        state = _mixed(state ^ _mixed(word + _GAMMA))
    return _mixed(state + _GAMMA)


def _words(
    seed: int, epoch: int, rows: NDArray[np.int64]
) -> Iterable[NDArray[np.uint64]]:
    # Only in arrays do numbers wrap around without a warning.
    scalars = np.array([_TRANSFORM, seed, epoch], np.uint64)
    return *np.split(scalars, 3), rows.astype(np.uint64)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
