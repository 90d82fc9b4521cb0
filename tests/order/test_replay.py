# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""batch_at: what a step delivers, without iterating."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import NUM_ROWS

KEYWORDS: dict[str, Any] = {
    "columns": ["id", "name"],
    "shuffle": True,
    "seed": 5,
    "shuffle_window": 120,
    "num_lanes": 2,
    "world_size": 2,
    "rank": 1,
    "num_epochs": 2,
}


def make(face: str, path: Path, **keywords: Any) -> Any:
    module = rowfeed if face == "numpy" else pytest.importorskip(f"rowfeed.{face}")
    return module.ParquetDataset(path, 16, **KEYWORDS, **keywords)


def ids(batch: Any) -> list[int]:
    found: list[int] = [int(i) for i in batch["id"]]
    return found


@pytest.mark.parametrize("remainder", ["uneven", "drop", "pad", "wrap"])
@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_batches_are_those_that_are_streamed(
    numbers: Path, face: str, remainder: str
) -> None:
    dataset = make(face, numbers, remainder=remainder, first_epoch=3)
    batches = iter(dataset)
    streamed = [ids(next(batches)) for _ in range(5)]
    before = dataset.state_dict()
    replayed = [ids(dataset.batch_at(3, step)) for step in range(5)]
    assert replayed == streamed
    assert dataset.state_dict() == before
    streamed += [ids(batch) for batch in batches]
    steps = len(streamed) // 2
    assert steps == -(-NUM_ROWS // 32) - (remainder == "drop")
    for index in (steps - 1, steps, len(streamed) - 1):
        epoch, step = 3 + index // steps, index % steps
        assert ids(dataset.batch_at(epoch, step)) == streamed[index]


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_the_next_epoch_is_not_taken(numbers: Path, face: str) -> None:
    dataset = make(face, numbers)
    dataset.batch_at(7, 2)
    assert dataset.state_dict() == dataset.state_at(0, 0)
    assert ids(next(iter(dataset))) == ids(dataset.batch_at(0, 0))


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_steps_that_do_not_exist_are_refused(numbers: Path, face: str) -> None:
    dataset = make(face, numbers)
    steps = len(dataset) // 2
    with pytest.raises(ValueError, match=f"at most {steps - 1}, .* {steps}: {steps}"):
        dataset.batch_at(0, steps)
    for epoch, step in ((-1, 0), (0, -1)):
        with pytest.raises(ValueError, match="must be >= 0"):
            dataset.batch_at(epoch, step)
    wrong: list[tuple[Any, Any]] = [(0.5, 0), (0, "1")]
    for epoch, step in wrong:
        with pytest.raises(TypeError, match="must be an int"):
            dataset.batch_at(epoch, step)
