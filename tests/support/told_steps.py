# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms that note what they are told of their step, and the seeds to expect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from order_model import Random
from rowfeed import StepInfo

_TRANSFORM = 4  # The first word of a key, after those of order_model.py and mixtures.


class Told(NamedTuple):
    """What a transform was told of one batch; ids and seeds are without fill rows."""

    epoch: int
    step: int
    ids: list[int]
    seeds: list[int]


def note(batch: Any, info: StepInfo) -> Told:
    """A transform: the ids of a batch, or of a single row, and what it was told."""
    ids = np.atleast_1d(batch["id"])
    valid = np.atleast_1d(batch.get("__valid", np.ones(len(ids), bool)))
    assert info.seeds.dtype == np.uint64
    assert info.seeds.shape == ids.shape
    kept = [np.asarray(values)[valid].tolist() for values in (ids, info.seeds)]
    return Told(info.epoch, info.step, *kept)


def seed_of(seed: int, epoch: int, row: int) -> int:
    """The seed of row `row` of the stream of an epoch."""
    return Random(_TRANSFORM, seed, epoch, row).next()


def seeds_of_ids(elements: Iterable[Told]) -> dict[tuple[int, int], int]:
    """The seed of each (epoch, id); a row that comes twice has the same one."""
    found: dict[tuple[int, int], int] = {}
    for epoch, _, ids, seeds in elements:
        for row, seed in zip(ids, seeds, strict=True):
            assert found.setdefault((epoch, row), seed) == seed
    return found
