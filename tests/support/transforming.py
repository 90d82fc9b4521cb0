# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A dataset with a transform, and what its elements are without."""

from __future__ import annotations

import importlib
import time
from pathlib import Path
from typing import Any

import pytest

import rowfeed

STEPS = 16


KEYWORDS: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 4}


FACES = pytest.mark.parametrize("face", ["", ".torch"])


class Mine(Exception):
    """Not one of Python's own, with more to it than a message."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(row, reason)


def ids_of(batch: Any) -> list[int]:
    """A transform: what the tests compare."""
    ids: list[int] = batch["id"].tolist()
    return ids


def slow_ids_of(batch: Any) -> list[int]:
    """Takes longest for the first of several that run at once."""
    time.sleep(0.002 * (sum(batch["id"].tolist()) % 3))
    return ids_of(batch)


def make(data: Path, face: str = "", **keywords: Any) -> Any:
    if face:
        pytest.importorskip("torch")
    dataset = importlib.import_module(f"rowfeed{face}").ParquetDataset
    given = {"transform": slow_ids_of, "num_threads": 3, **KEYWORDS, **keywords}
    return dataset(data, given.pop("batch_size", STEPS), **given)


def orders_of(numbers: Path) -> list[list[list[int]]]:
    """The batches of the first epochs."""
    dataset = rowfeed.ParquetDataset(numbers, STEPS, **KEYWORDS)
    return [list(map(ids_of, dataset)) for _ in range(5)]
